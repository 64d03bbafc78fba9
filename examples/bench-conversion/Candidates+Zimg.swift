import CConvert
import CZimg
import KiteCore

extension Candidate {
  /// zimg, which writes planes; libyuv packs them.
  static let zimg: [Candidate] = [false, true].map { isWide in
    Candidate(library: "zimg", options: isWide ? "bicubic, 64-byte vectors" : "bicubic") { job in
      guard let run = ZimgRun(job, isWide: isWide) else { return nil }
      return run.run
    }
  }
}

private final class ZimgRun {
  private let job: Job
  private let graph: OpaquePointer
  private let memory: UnsafeMutableRawPointer
  private let planes: UnsafeMutableRawPointer
  private let stride: Int
  private let is10Bit: Bool
  /// Planes in the order that zimg has them: R, G, B or Y, U, V.
  private let order: [Int]

  init?(_ job: Job, isWide: Bool) {
    let format = job.picture.format
    let supported: [PixelFormat] = [
      .yuv420p, .yuv422p, .yuv440p, .yuv444p, .yuv420p10, .yuv422p10, .yuv440p10, .yuv444p10, .yuv420p12,
      .yuv422p12, .yuv440p12, .yuv444p12, .gbrp, .gbrp10, .gbrp12,
    ]
    guard supported.contains(format) else { return nil }
    let (shiftX, shiftY) = format.chromaShift
    is10Bit = job.target.format == .xrgb2101010
    let isRGB = format.model == .rgb
    var from = kite_zimg_side(
      width: Int32(job.picture.size.width), height: Int32(job.picture.size.height),
      depth: Int32(format.bitDepth), shift_x: Int32(shiftX), shift_y: Int32(shiftY), is_rgb: isRGB ? 1 : 0,
      is_gray: 0, matrix: Int32(job.color.matrix.rawValue), is_full: job.color.range == .full ? 1 : 0)
    var to = kite_zimg_side(
      width: Int32(job.target.size.width), height: Int32(job.target.size.height), depth: is10Bit ? 10 : 8,
      shift_x: 0, shift_y: 0, is_rgb: 1, is_gray: 0, matrix: 0, is_full: 1)
    guard let graph = kite_zimg_build(&from, &to, isWide ? 1 : 0) else { return nil }
    var size = 0
    zimg_filter_graph_get_tmp_size(graph, &size)
    self.job = job
    self.graph = graph
    order = isRGB ? [2, 0, 1] : [0, 1, 2]
    stride = (job.target.size.width * (is10Bit ? 2 : 1) + 63) & ~63
    memory = .allocate(byteCount: max(size, 64), alignment: 64)
    planes = .allocate(byteCount: 3 * stride * job.target.size.height, alignment: 64)
  }

  deinit {
    zimg_filter_graph_free(graph)
    memory.deallocate()
    planes.deallocate()
  }

  func run() {
    let source = order.map { job.picture.planes[$0] }
    let targets = (0..<3).map { planes + $0 * stride * job.target.size.height }
    let outputs: [UnsafeMutableRawPointer?] = targets
    let code = kite_zimg_process(
      graph, source.map(\.baseAddress), source.map(\.stride), outputs, [stride, stride, stride], memory)
    guard code == 0 else { return print("zimg failed: \(code)") }
    let out = job.target.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let (w, h) = (Int32(job.target.size.width), Int32(job.target.size.height))
    if is10Bit {
      let words = targets.map { $0.assumingMemoryBound(to: UInt16.self) }
      let pitch = Int32(stride / 2)
      MergeXR30Plane(
        words[0], pitch, words[1], pitch, words[2], pitch, out, Int32(job.target.stride), w, h, 10)
    } else {
      let bytes = targets.map { $0.assumingMemoryBound(to: UInt8.self) }
      let pitch = Int32(stride)
      MergeARGBPlane(
        bytes[0], pitch, bytes[1], pitch, bytes[2], pitch, nil, 0, out, Int32(job.target.stride), w, h)
    }
  }
}
