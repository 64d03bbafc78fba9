import CConvert
import KiteCore

/// swscale as a scaler of YUV planes: same matrix, same range on both sides.
final class SwscaleContext {
  private let context: OpaquePointer

  /// What swscale is asked to write: the planes at full size, which spares the kernels a second step of chroma.
  static func outputFormat(for format: PixelFormat) -> PixelFormat {
    if format.model == .gray { return format.bitDepth > 8 ? .gray10 : .gray8 }
    return format.bitDepth > 8 ? .yuv444p10 : .yuv444p
  }

  init(
    source: ConversionSource, color: ColorDescription, size: PixelSize, output: PixelFormat
  ) throws(ConversionError) {
    guard let made = sws_alloc_context() else { throw .outOfMemory(bytes: 0) }
    context = made
    let (shiftX, shiftY) = source.format.chromaShift
    let siting = Self.siting(color.chromaLocation, shiftX: shiftX, shiftY: shiftY)
    let crop = source.crop
    let isFull: Int64 = color.range == .full ? 1 : 0
    let options: [(String, Int64)] = [
      ("srcw", Int64(crop.width)), ("srch", Int64(crop.height)),
      ("src_format", Int64(Self.pixelFormat(source.format).rawValue)),
      ("dstw", Int64(size.width)), ("dsth", Int64(size.height)),
      ("dst_format", Int64(Self.pixelFormat(output).rawValue)),
      ("src_range", isFull), ("dst_range", isFull),
      ("sws_flags", Int64(SWS_BICUBIC | SWS_ACCURATE_RND)),
      // In 1/256 of a pixel from the picture's first; a crop on an odd pixel leaves part of the first sample outside.
      ("src_h_chr_pos", Int64(siting.x - 256 * (crop.x & ((1 << shiftX) - 1)))),
      ("src_v_chr_pos", Int64(siting.y - 256 * (crop.y & ((1 << shiftY) - 1)))),
    ]
    for (name, value) in options {
      let code = av_opt_set_int(UnsafeMutableRawPointer(context), name, value, 0)
      guard code >= 0 else {
        sws_freeContext(context)
        throw .library("libswscale", function: "option \(name)", code: Int(code))
      }
    }
    let code = sws_init_context(context, nil, nil)
    guard code >= 0 else {
      sws_freeContext(context)
      throw .library("libswscale", function: "sws_init_context", code: Int(code))
    }
  }

  deinit { sws_freeContext(context) }

  func scale(_ picture: PictureView, to output: PictureScaler.Output) throws(ConversionError) {
    var from = [UnsafePointer<UInt8>?](repeating: nil, count: 4)
    var fromStrides = [Int32](repeating: 0, count: 4)
    var to = [UnsafeMutablePointer<UInt8>?](repeating: nil, count: 4)
    var toStrides = [Int32](repeating: 0, count: 4)
    for (index, plane) in picture.planes.enumerated() {
      from[index] = plane.base.assumingMemoryBound(to: UInt8.self)
      fromStrides[index] = Int32(plane.stride)
    }
    for (index, plane) in output.planes.enumerated() {
      to[index] = plane.assumingMemoryBound(to: UInt8.self)
      toStrides[index] = Int32(output.view.planes[index].stride)
    }
    let rows = sws_scale(context, from, fromStrides, 0, Int32(picture.size.height), to, toStrides)
    guard rows == Int32(output.view.size.height) else {
      throw .library("libswscale", function: "sws_scale", code: Int(rows))
    }
  }

  /// Where the first chroma sample sits, in 1/256 of a pixel.
  private static func siting(
    _ location: ColorDescription.ChromaLocation, shiftX: Int, shiftY: Int
  ) -> (x: Int, y: Int) {
    let (x, y) =
      switch location {
      case .unspecified, .left: (0, 128)
      case .center: (128, 128)
      case .topLeft: (0, 0)
      case .top: (128, 0)
      case .bottomLeft: (0, 256)
      case .bottom: (128, 256)
      }
    return (shiftX == 0 ? 0 : x, shiftY == 0 ? 0 : y)
  }

  /// The same layout in FFmpeg's words. Alpha planes are left out; p012 is read as 16 bits, of which it has the high 12.
  private static func pixelFormat(_ format: PixelFormat) -> AVPixelFormat {
    switch format {
    case .yuv420p, .yuva420p: AV_PIX_FMT_YUV420P
    case .yuv422p: AV_PIX_FMT_YUV422P
    case .yuv440p: AV_PIX_FMT_YUV440P
    case .yuv444p, .yuva444p: AV_PIX_FMT_YUV444P
    case .yuv420p10: AV_PIX_FMT_YUV420P10LE
    case .yuv422p10: AV_PIX_FMT_YUV422P10LE
    case .yuv440p10: AV_PIX_FMT_YUV440P10LE
    case .yuv444p10: AV_PIX_FMT_YUV444P10LE
    case .yuv420p12: AV_PIX_FMT_YUV420P12LE
    case .yuv422p12: AV_PIX_FMT_YUV422P12LE
    case .yuv440p12: AV_PIX_FMT_YUV440P12LE
    case .yuv444p12: AV_PIX_FMT_YUV444P12LE
    case .nv12: AV_PIX_FMT_NV12
    case .nv21: AV_PIX_FMT_NV21
    case .nv16: AV_PIX_FMT_NV16
    case .p010: AV_PIX_FMT_P010LE
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
}
