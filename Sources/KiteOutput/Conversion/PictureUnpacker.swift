import CConvert
import KiteCore

/// Brings rows of layouts that have no kernel into a layout that has one.
final class PictureUnpacker {
  private enum Step {
    case yuyv, uyvy
    /// 12-bit samples to 10 bits.
    case cutTo10Bits
  }

  private let step: Step
  private let memory = ScratchMemory()

  /// Nil where `format` needs no unpacking.
  init?(_ format: PixelFormat) {
    switch format {
    case .yuyv422: step = .yuyv
    case .uyvy422: step = .uyvy
    case .yuv422p12, .yuv440p12, .yuv444p12: step = .cutTo10Bits
    default: return nil
    }
  }

  /// The same rows for the kernel; valid until the next call.
  func unpack(_ picture: PictureView) throws(ConversionError) -> PictureView {
    switch step {
    case .yuyv: try split(picture, YUY2ToI422)
    case .uyvy: try split(picture, UYVYToI422)
    case .cutTo10Bits: try cut(picture)
    }
  }

  private typealias Split = (
    UnsafePointer<UInt8>?, Int32, UnsafeMutablePointer<UInt8>?, Int32, UnsafeMutablePointer<UInt8>?, Int32,
    UnsafeMutablePointer<UInt8>?, Int32, Int32, Int32
  ) -> Int32

  private func split(_ picture: PictureView, _ call: Split) throws(ConversionError) -> PictureView {
    let size = picture.size
    // An odd crop begins inside a pair: the pair is split whole.
    let width = size.width + picture.phase.x
    let lumaStride = ScratchMemory.stride(width)
    let chromaStride = ScratchMemory.stride((width + 1) / 2)
    let luma = try memory.reserve((lumaStride + 2 * chromaStride) * size.height)
    let u = luma + lumaStride * size.height
    let v = u + chromaStride * size.height
    let code = call(
      picture.planes[0].base.assumingMemoryBound(to: UInt8.self), Int32(picture.planes[0].stride),
      luma.assumingMemoryBound(to: UInt8.self), Int32(lumaStride), u.assumingMemoryBound(to: UInt8.self),
      Int32(chromaStride), v.assumingMemoryBound(to: UInt8.self), Int32(chromaStride), Int32(width),
      Int32(size.height))
    try PicturePainter.check(code, "split of \(picture.format.rawValue)")
    var result = PictureView(
      format: .yuv422p, size: size,
      planes: [
        .init(base: luma + picture.phase.x, stride: lumaStride), .init(base: u, stride: chromaStride),
        .init(base: v, stride: chromaStride),
      ])
    result.phase = picture.phase
    return result
  }

  private func cut(_ picture: PictureView) throws(ConversionError) -> PictureView {
    let chroma = picture.chromaSize
    let sizes = [picture.size, chroma, chroma]
    let strides = sizes.map { ScratchMemory.stride($0.width * 2) }
    var next = try memory.reserve(zip(sizes, strides).reduce(0) { $0 + $1.0.height * $1.1 })
    var result = picture
    for index in picture.planes.indices {
      // The function divides by 2 to the power of 16 − depth.
      ConvertToLSBPlane_16(
        picture.planes[index].base.assumingMemoryBound(to: UInt16.self),
        Int32(picture.planes[index].stride / 2),
        next.assumingMemoryBound(to: UInt16.self), Int32(strides[index] / 2), Int32(sizes[index].width),
        Int32(sizes[index].height), 14)
      result.planes[index] = .init(base: next, stride: strides[index])
      next += sizes[index].height * strides[index]
    }
    return result
  }
}
