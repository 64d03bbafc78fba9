import CFFmpeg
import KiteCore

/// How FFmpeg's layouts of samples become ours.
enum FormatMapping: Equatable {
  /// The memory can be read as this format as it is; an alpha plane at its end is passed over.
  case direct(PixelFormat)
  /// Nobody but FFmpeg reads such memory: it is converted to the nearest format that is ours.
  case converted(PixelFormat)

  /// The way for `format`; nil for what is no software picture, such as a hardware surface: see `DeviceFrames`.
  init?(_ format: AVPixelFormat) {
    if let known = Self.direct(format) {
      self = .direct(known)
      return
    }
    guard let descriptor = av_pix_fmt_desc_get(format)?.pointee else { return nil }
    let flags = Int32(truncatingIfNeeded: descriptor.flags)
    guard flags & kite_pixfmt_flag_hwaccel == 0, sws_isSupportedInput(format) != 0 else { return nil }
    self = .converted(Self.nearest(descriptor, flags: flags))
  }

  /// Our format of the result.
  var format: PixelFormat {
    switch self {
    case .direct(let format), .converted(let format): format
    }
  }

  /// The name that FFmpeg has for a format of ours.
  static func ffmpegFormat(_ format: PixelFormat) -> AVPixelFormat {
    switch format {
    case .yuv420p: AV_PIX_FMT_YUV420P
    case .yuv422p: AV_PIX_FMT_YUV422P
    case .yuv440p: AV_PIX_FMT_YUV440P
    case .yuv444p: AV_PIX_FMT_YUV444P
    case .yuv420p10: AV_PIX_FMT_YUV420P10LE
    case .yuv422p10: AV_PIX_FMT_YUV422P10LE
    case .yuv440p10: AV_PIX_FMT_YUV440P10LE
    case .yuv444p10: AV_PIX_FMT_YUV444P10LE
    case .yuv420p12: AV_PIX_FMT_YUV420P12LE
    case .yuv422p12: AV_PIX_FMT_YUV422P12LE
    case .yuv440p12: AV_PIX_FMT_YUV440P12LE
    case .yuv444p12: AV_PIX_FMT_YUV444P12LE
    case .yuva420p: AV_PIX_FMT_YUVA420P
    case .yuva444p: AV_PIX_FMT_YUVA444P
    case .nv12: AV_PIX_FMT_NV12
    case .nv21: AV_PIX_FMT_NV21
    case .nv16: AV_PIX_FMT_NV16
    case .p010: AV_PIX_FMT_P010LE
    // FFmpeg 6 names P012; in 5.1 its layout is that of P016.
    case .p012: AV_PIX_FMT_P016LE
    case .yuyv422: AV_PIX_FMT_YUYV422
    case .uyvy422: AV_PIX_FMT_UYVY422
    case .gray8: AV_PIX_FMT_GRAY8
    case .gray10: AV_PIX_FMT_GRAY10LE
    case .gray12: AV_PIX_FMT_GRAY12LE
    case .gbrp: AV_PIX_FMT_GBRP
    case .gbrp10: AV_PIX_FMT_GBRP10LE
    case .gbrp12: AV_PIX_FMT_GBRP12LE
    case .rgb24: AV_PIX_FMT_RGB24
    case .bgr24: AV_PIX_FMT_BGR24
    case .bgrx8888: AV_PIX_FMT_BGR0
    case .rgbx8888: AV_PIX_FMT_RGB0
    case .xrgb2101010: AV_PIX_FMT_X2RGB10LE
    }
  }

  private static func direct(_ format: AVPixelFormat) -> PixelFormat? {
    switch format {
    case AV_PIX_FMT_YUVJ420P: .yuv420p
    case AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVA422P: .yuv422p
    case AV_PIX_FMT_YUVJ440P: .yuv440p
    case AV_PIX_FMT_YUVJ444P: .yuv444p
    case AV_PIX_FMT_YUVA420P10LE: .yuv420p10
    case AV_PIX_FMT_YUVA422P10LE: .yuv422p10
    case AV_PIX_FMT_YUVA444P10LE: .yuv444p10
    case AV_PIX_FMT_YUVA422P12LE: .yuv422p12
    case AV_PIX_FMT_YUVA444P12LE: .yuv444p12
    case AV_PIX_FMT_GBRAP: .gbrp
    case AV_PIX_FMT_GBRAP10LE: .gbrp10
    case AV_PIX_FMT_GBRAP12LE: .gbrp12
    case AV_PIX_FMT_BGRA: .bgrx8888
    case AV_PIX_FMT_RGBA: .rgbx8888
    default: PixelFormat.allCases.first { $0 != .p012 && ffmpegFormat($0) == format }
    }
  }

  /// No fewer bits than the source up to 12, and no coarser chroma.
  private static func nearest(_ descriptor: AVPixFmtDescriptor, flags: Int32) -> PixelFormat {
    let depth = Int(descriptor.comp.0.depth)
    if flags & (kite_pixfmt_flag_rgb | kite_pixfmt_flag_palette | kite_pixfmt_flag_bayer) != 0 {
      // A Bayer mosaic holds one component per pixel; swscale gives 8 bits of it.
      if flags & kite_pixfmt_flag_bayer != 0 || depth <= 8 { return .bgrx8888 }
      return depth <= 10 ? .gbrp10 : .gbrp12
    }
    if descriptor.nb_components <= 2 { return depth <= 8 ? .gray8 : depth <= 10 ? .gray10 : .gray12 }
    switch (descriptor.log2_chroma_w > 0, descriptor.log2_chroma_h > 0) {
    case (true, true): return depth <= 8 ? .yuv420p : depth <= 10 ? .yuv420p10 : .yuv420p12
    case (true, false): return depth <= 8 ? .yuv422p : depth <= 10 ? .yuv422p10 : .yuv422p12
    case (false, true): return depth <= 8 ? .yuv440p : depth <= 10 ? .yuv440p10 : .yuv440p12
    case (false, false): return depth <= 8 ? .yuv444p : depth <= 10 ? .yuv444p10 : .yuv444p12
    }
  }
}
