import CConvert
import KiteCore

/// swscale as a scaler of YUV planes: same matrix, same range on both sides.
final class SwscaleContext {
  private let context: OpaquePointer
  private let tail = ScratchMemory()

  /// swscale reads some tens of bytes past the rows that it is given. The last rows of a plane, at least as many as hold
  /// this many bytes, are therefore given to it in memory of our own.
  private static let overread = 256

  /// What swscale is asked to write: the planes at full size, which spares the kernels a second step of chroma.
  static func outputFormat(for format: PixelFormat) -> PixelFormat {
    if format.model == .gray { return format.bitDepth > 8 ? .gray10 : .gray8 }
    return format.bitDepth > 8 ? .yuv444p10 : .yuv444p
  }

  init(
    source: ConversionSource, color: ColorDescription, size: PixelSize, output: PixelFormat
  ) throws(ConversionError) {
    guard let made = sws_alloc_context() else { throw .outOfMemory(bytes: 0) }
    // From here on `deinit` frees it, also when this throws.
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
        throw .library("libswscale", function: "option \(name)", code: Int(code))
      }
    }
    let code = sws_init_context(context, nil, nil)
    guard code >= 0 else {
      throw .library("libswscale", function: "sws_init_context", code: Int(code))
    }
  }

  deinit { sws_freeContext(context) }

  func scale(_ picture: PictureView, to output: PictureScaler.Output) throws(ConversionError) {
    let height = picture.size.height
    let tailRows = Self.tailRows(picture)
    let bodyRows = height - tailRows
    var rows: Int32 = 0
    if bodyRows > 0 {
      rows = scale(picture.planes, bodyRows, at: 0, to: output)
    }
    if rows >= 0 {
      rows += scale(try copyTail(picture.rows(bodyRows..<height)), tailRows, at: bodyRows, to: output)
    }
    guard rows == Int32(output.view.size.height) else {
      throw .library("libswscale", function: "sws_scale", code: Int(rows))
    }
  }

  /// How many of the last rows are to be copied; leaves an even number of rows before them.
  private static func tailRows(_ picture: PictureView) -> Int {
    let height = picture.size.height
    let narrowest = picture.planes.map(\.stride).min() ?? 0
    // Rows that run upwards end where the first begins.
    guard narrowest > 0 else { return height }
    let body = height - 2 * ((overread + narrowest - 1) / narrowest) - 1
    return height - max(0, body & ~1)
  }

  private func copyTail(_ picture: PictureView) throws(ConversionError) -> [PictureView.Plane] {
    let layouts = picture.format.planes
    var copies: [(rowBytes: Int, rows: Int, stride: Int)] = []
    for index in picture.planes.indices {
      let layout = layouts[index]
      // The phase only counts where samples are shared.
      let width = picture.size.width + (layout.shiftX > 0 ? picture.phase.x : 0)
      let height = picture.size.height + (layout.shiftY > 0 ? picture.phase.y : 0)
      let rowBytes = layout.rowBytes(width: width)
      copies.append((rowBytes, layout.rows(height: height), ScratchMemory.stride(rowBytes)))
    }
    var next = try tail.reserve(copies.reduce(Self.overread) { $0 + $1.rows * $1.stride })
    var result: [PictureView.Plane] = []
    for (plane, copy) in zip(picture.planes, copies) {
      CopyPlane(
        plane.base.assumingMemoryBound(to: UInt8.self), Int32(plane.stride),
        next.assumingMemoryBound(to: UInt8.self), Int32(copy.stride), Int32(copy.rowBytes), Int32(copy.rows))
      result.append(.init(base: next, stride: copy.stride))
      next += copy.rows * copy.stride
    }
    return result
  }

  /// Gives swscale the next rows; the number of rows that it has written to `output` for them.
  private func scale(
    _ planes: [PictureView.Plane], _ rowCount: Int, at row: Int, to output: PictureScaler.Output
  ) -> Int32 {
    var from = [UnsafePointer<UInt8>?](repeating: nil, count: 4)
    var fromStrides = [Int32](repeating: 0, count: 4)
    var to = [UnsafeMutablePointer<UInt8>?](repeating: nil, count: 4)
    var toStrides = [Int32](repeating: 0, count: 4)
    for (index, plane) in planes.enumerated() {
      from[index] = plane.base.assumingMemoryBound(to: UInt8.self)
      fromStrides[index] = Int32(plane.stride)
    }
    for (index, plane) in output.planes.enumerated() {
      to[index] = plane.assumingMemoryBound(to: UInt8.self)
      toStrides[index] = Int32(output.view.planes[index].stride)
    }
    return sws_scale(context, from, fromStrides, Int32(row), Int32(rowCount), to, toStrides)
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
