import CConvert
import KiteCore
import KiteOutput

extension Candidate {
  /// What the renderer uses.
  static let kite = Candidate(library: "Kite", options: "as shipped") { job in
    let source = ConversionSource(format: job.picture.format, codedSize: job.picture.size, color: job.color)
    let target = ConversionTarget(format: job.target.format, size: job.target.size)
    guard let converter = try? FrameConverter(source: source, target: target) else { return nil }
    return {
      do {
        try converter.convert(planes: job.picture.planes, into: job.target.bytes, stride: job.target.stride)
      } catch { print("conversion failed: \(error)") }
    }
  }

  /// libyuv with the matrices that it brings along; only what has a function of its own, unscaled.
  static let libyuvTables = Candidate(library: "libyuv", options: "own tables") { job in
    guard let call = LibyuvCall(job), job.target.size == job.picture.size else { return nil }
    return call.run
  }

  /// libyuv with its tables and bilinear chroma.
  static let libyuvFiltered = Candidate(library: "libyuv", options: "own tables, chroma filter") { job in
    guard let call = LibyuvCall(job), call.canFilter, job.target.size == job.picture.size else { return nil }
    return call.runFiltered
  }
}

/// A call of libyuv's matrix functions as they are.
private struct LibyuvCall {
  let job: Job
  let table: UnsafePointer<YuvConstants>?
  var canFilter: Bool {
    [.yuv420p, .yuv422p, .yuv420p10, .yuv422p10].contains(job.picture.format)
      && (job.target.format == .bgrx8888 || job.picture.format == .yuv420p10)
  }

  init?(_ job: Job) {
    let names: [ColorDescription.Matrix] = [.smpte170m, .bt709, .bt2020]
    guard let index = names.firstIndex(of: job.color.matrix) else { return nil }
    let formats8: [PixelFormat] = [.yuv420p, .yuv422p, .yuv444p, .nv12, .gray8]
    let formats16: [PixelFormat] = [.yuv420p10, .yuv422p10, .yuv444p10, .p010, .yuv420p12]
    guard
      formats16.contains(job.picture.format)
        || (job.target.format == .bgrx8888 && formats8.contains(job.picture.format))
    else { return nil }
    self.job = job
    table = kite_yuv_library_constants(Int32(index + (job.color.range == .full ? 3 : 0)))
  }

  private func bytes(_ index: Int) -> UnsafePointer<UInt8>? {
    job.picture.planes[index].baseAddress?.assumingMemoryBound(to: UInt8.self)
  }
  private func words(_ index: Int) -> UnsafePointer<UInt16>? {
    job.picture.planes[index].baseAddress?.assumingMemoryBound(to: UInt16.self)
  }
  private func stride(_ index: Int) -> Int32 { Int32(job.picture.planes[index].stride) }
  private func wordStride(_ index: Int) -> Int32 { Int32(job.picture.planes[index].stride / 2) }

  func run() {
    let out = job.target.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let pitch = Int32(job.target.stride)
    let (w, h) = (Int32(job.picture.size.width), Int32(job.picture.size.height))
    typealias Planar16 = (
      UnsafePointer<UInt16>?, Int32, UnsafePointer<UInt16>?, Int32, UnsafePointer<UInt16>?, Int32,
      UnsafeMutablePointer<UInt8>?, Int32, UnsafePointer<YuvConstants>?, Int32, Int32
    ) -> Int32
    func planar16(_ call8: Planar16, _ call10: Planar16) {
      let call = job.target.format == .bgrx8888 ? call8 : call10
      _ = call(
        words(0), wordStride(0), words(1), wordStride(1), words(2), wordStride(2), out, pitch, table, w, h)
    }
    switch job.picture.format {
    case .yuv420p:
      I420ToARGBMatrix(bytes(0), stride(0), bytes(1), stride(1), bytes(2), stride(2), out, pitch, table, w, h)
    case .yuv422p:
      I422ToARGBMatrix(bytes(0), stride(0), bytes(1), stride(1), bytes(2), stride(2), out, pitch, table, w, h)
    case .yuv444p:
      I444ToARGBMatrix(bytes(0), stride(0), bytes(1), stride(1), bytes(2), stride(2), out, pitch, table, w, h)
    case .nv12: NV12ToARGBMatrix(bytes(0), stride(0), bytes(1), stride(1), out, pitch, table, w, h)
    case .gray8: I400ToARGBMatrix(bytes(0), stride(0), out, pitch, table, w, h)
    case .yuv420p10: planar16(I010ToARGBMatrix, I010ToAR30Matrix)
    case .yuv422p10: planar16(I210ToARGBMatrix, I210ToAR30Matrix)
    case .yuv444p10: planar16(I410ToARGBMatrix, I410ToAR30Matrix)
    case .yuv420p12: planar16(I012ToARGBMatrix, I012ToAR30Matrix)
    case .p010 where job.target.format == .bgrx8888:
      P010ToARGBMatrix(words(0), wordStride(0), words(1), wordStride(1), out, pitch, table, w, h)
    case .p010: P010ToAR30Matrix(words(0), wordStride(0), words(1), wordStride(1), out, pitch, table, w, h)
    default: break
    }
  }

  func runFiltered() {
    let out = job.target.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let pitch = Int32(job.target.stride)
    let (w, h) = (Int32(job.picture.size.width), Int32(job.picture.size.height))
    switch job.picture.format {
    case .yuv420p:
      I420ToARGBMatrixFilter(
        bytes(0), stride(0), bytes(1), stride(1), bytes(2), stride(2), out, pitch, table, w, h,
        kFilterBilinear)
    case .yuv422p:
      I422ToARGBMatrixFilter(
        bytes(0), stride(0), bytes(1), stride(1), bytes(2), stride(2), out, pitch, table, w, h,
        kFilterBilinear)
    case .yuv420p10 where job.target.format == .bgrx8888:
      I010ToARGBMatrixFilter(
        words(0), wordStride(0), words(1), wordStride(1), words(2), wordStride(2), out, pitch, table, w, h,
        kFilterBilinear)
    case .yuv420p10:
      I010ToAR30MatrixFilter(
        words(0), wordStride(0), words(1), wordStride(1), words(2), wordStride(2), out, pitch, table, w, h,
        kFilterBilinear)
    case .yuv422p10:
      I210ToARGBMatrixFilter(
        words(0), wordStride(0), words(1), wordStride(1), words(2), wordStride(2), out, pitch, table, w, h,
        kFilterBilinear)
    default: break
    }
  }
}
