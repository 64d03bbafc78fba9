import CConvert
import KiteCore

extension Candidate {
  /// swscale in one step, with each of the flags that change what it does.
  static let swscale: [Candidate] = {
    let scalers: [(String, Int32)] = [
      ("point", SWS_POINT), ("fast bilinear", SWS_FAST_BILINEAR), ("bilinear", SWS_BILINEAR),
      ("bicubic", SWS_BICUBIC), ("area", SWS_AREA),
    ]
    let roundings: [(String, Int32)] = [
      ("", 0), (" bitexact", SWS_BITEXACT), (" accurate", SWS_ACCURATE_RND),
      (" accurate full-chroma", SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT),
    ]
    return scalers.flatMap { scaler in
      roundings.map { swscale(scaler.0 + $0.0, flags: scaler.1 | $0.1) }
    }
  }()

  private static func swscale(_ name: String, flags: Int32) -> Candidate {
    Candidate(library: "swscale", options: name) { job in
      guard let context = SwscaleRun(job, flags: flags) else { return nil }
      return context.run
    }
  }
}

private final class SwscaleRun {
  private let context: OpaquePointer
  private let job: Job

  init?(_ job: Job, flags: Int32) {
    let spaces: [ColorDescription.Matrix: Int32] = [
      .bt709: 1, .fcc: 4, .smpte170m: 5, .smpte240m: 7, .bt2020: 9, .identity: 1,
    ]
    guard let from = Self.pixelFormat(job.picture.format),
      let to = Self.pixelFormat(job.target.format), let space = spaces[job.color.matrix],
      sws_isSupportedInput(from) > 0, sws_isSupportedOutput(to) > 0,
      let context = sws_getContext(
        Int32(job.picture.size.width), Int32(job.picture.size.height), from, Int32(job.target.size.width),
        Int32(job.target.size.height), to, flags, nil, nil, nil)
    else { return nil }
    self.job = job
    self.context = context
    sws_setColorspaceDetails(
      context, sws_getCoefficients(space), job.color.range == .full ? 1 : 0, sws_getCoefficients(5), 1, 0,
      1 << 16, 1 << 16)
  }

  deinit { sws_freeContext(context) }

  func run() {
    var from = [UnsafePointer<UInt8>?](repeating: nil, count: 4)
    var strides = [Int32](repeating: 0, count: 4)
    for (index, plane) in job.picture.planes.enumerated() {
      from[index] = plane.baseAddress?.assumingMemoryBound(to: UInt8.self)
      strides[index] = Int32(plane.stride)
    }
    let out = job.target.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    sws_scale(
      context, from, strides, 0, Int32(job.picture.size.height), [out, nil, nil, nil],
      [Int32(job.target.stride), 0, 0, 0])
  }

  private static func pixelFormat(_ format: PixelFormat) -> AVPixelFormat? {
    switch format {
    case .bgrx8888: AV_PIX_FMT_BGR0
    case .rgbx8888: AV_PIX_FMT_RGB0
    case .xrgb2101010: AV_PIX_FMT_X2RGB10LE
    default: named(format)
    }
  }

  /// PixelFormat has FFmpeg's names; those of words want the byte order.
  private static func named(_ format: PixelFormat) -> AVPixelFormat? {
    let name = format == .gray8 ? "gray" : format.rawValue + (format.bitDepth > 8 ? "le" : "")
    let result = av_get_pix_fmt(name)
    return result == AV_PIX_FMT_NONE ? nil : result
  }
}
