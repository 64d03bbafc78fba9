import KiteCore
import KiteSystem

/// Copies frames that lie where no device gets at them, or in a format that the compositor does not take, into memory of
/// its own that can be a dmabuf.
final class FrameCopier {
  /// Three with the compositor, one being written.
  private static let limit = 4

  private let pool = FramePool(limit: FrameCopier.limit)

  init(backing: SharedMemory.Backing) { pool.wish = FrameMemoryWish(backing: backing) }

  /// A frame of the same picture in `format`; nil while all memory is with the compositor, or there is none.
  func copy(_ frame: borrowing VideoFrame, into format: PixelFormat) -> VideoFrame? {
    var properties = frame.properties
    let size = properties.codedSize
    guard let first = format.planes.first else { return nil }
    // Even, since chroma of half the size has a sample for the last row and column all the same.
    let coded = PixelSize(width: (size.width + 1) & ~1, height: (size.height + 1) & ~1)
    // 256 bytes in every plane: see PoolLayout.
    let unit = 512
    let stride = (first.rowBytes(width: coded.width) + unit - 1) / unit * unit
    var offsets: [Int] = []
    var strides: [Int] = []
    var end = 0
    for plane in format.planes {
      let own =
        format.planes.count == 1
        ? stride : (((stride / first.bytesPerSample) << first.shiftX) >> plane.shiftX) * plane.bytesPerSample
      offsets.append(end)
      strides.append(own)
      end += own * plane.rows(height: coded.height)
    }
    guard let slot = try? pool.lend(byteCount: end) else { return nil }
    let base = slot.memory.baseAddress
    let isCopied = PlaneCopy(into: format, size: size).copy(
      frame.planes, of: properties.format, to: base, offsets: offsets, strides: strides)
    guard isCopied else { return nil }
    properties.format = format
    properties.codedSize = coded
    let planes = zip(offsets, strides).map {
      VideoPlane(offset: $0, stride: $1, baseAddress: base + $0)
    }
    return VideoFrame(properties: properties, memory: .shared(slot.memory), planes: planes, owner: slot)
  }
}
