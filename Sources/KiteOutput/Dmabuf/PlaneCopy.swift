import CConvert
import KiteCore

/// Copies planes as they are, or interleaves chroma on the way: one pass over the pixels, into memory that is shown.
struct PlaneCopy {
  /// The formats that a frame of `format` can be copied into without a change of its samples, the best first.
  static func targets(of format: PixelFormat) -> [PixelFormat] {
    let same = format.fourcc == 0 || format == .yuv420p10 || format == .yuv420p12 ? [] : [format]
    switch format {
    case .yuv420p, .yuva420p: return same + [.nv12]
    case .yuv422p: return same + [.nv16]
    case .yuv420p10: return [.p010]
    case .yuv420p12: return [.p012]
    default: return same
    }
  }

  private let target: PixelFormat
  private let size: PixelSize

  /// A copy of pictures of `size` pixels into `target`.
  init(into target: PixelFormat, size: PixelSize) {
    self.target = target
    self.size = size
  }

  /// Copies the planes of a `source` frame to `base`, where each plane of the target has an offset and a stride.
  ///
  /// - Returns: false when the source can't be read or is not of a format that becomes the target.
  func copy(
    _ source: [VideoPlane], of format: PixelFormat, to base: UnsafeMutableRawPointer, offsets: [Int],
    strides: [Int]
  ) -> Bool {
    guard Self.targets(of: format).contains(target), offsets.count == target.planes.count,
      strides.count == offsets.count, source.allSatisfy({ $0.baseAddress != nil })
    else { return false }
    let shift = Int32(format.bitDepth)
    for (index, layout) in target.planes.enumerated() {
      let row = layout.rowBytes(width: size.width)
      let rows = Int32(clamping: layout.rows(height: size.height))
      let out = base + offsets[index]
      let isChroma = index == 1 && format.planes.count >= 3 && target.planes.count == 2
      guard let first = source[index].baseAddress else { return false }
      switch (isChroma, format.bitDepth > 8 && format != target) {
      case (false, false):
        CopyPlane(
          first.assumingMemoryBound(to: UInt8.self), Int32(clamping: source[index].stride),
          out.assumingMemoryBound(to: UInt8.self), Int32(clamping: strides[index]), Int32(clamping: row), rows
        )
      case (false, true):
        // From the low bits of a word to the high ones.
        ConvertToMSBPlane_16(
          first.assumingMemoryBound(to: UInt16.self), Int32(clamping: source[index].stride / 2),
          out.assumingMemoryBound(to: UInt16.self), Int32(clamping: strides[index] / 2),
          Int32(clamping: row / 2), rows, shift)
      case (true, false):
        guard let second = source[2].baseAddress else { return false }
        MergeUVPlane(
          first.assumingMemoryBound(to: UInt8.self), Int32(clamping: source[1].stride),
          second.assumingMemoryBound(to: UInt8.self), Int32(clamping: source[2].stride),
          out.assumingMemoryBound(to: UInt8.self), Int32(clamping: strides[index]), Int32(clamping: row / 2),
          rows)
      case (true, true):
        guard let second = source[2].baseAddress else { return false }
        MergeUVPlane_16(
          first.assumingMemoryBound(to: UInt16.self), Int32(clamping: source[1].stride / 2),
          second.assumingMemoryBound(to: UInt16.self), Int32(clamping: source[2].stride / 2),
          out.assumingMemoryBound(to: UInt16.self), Int32(clamping: strides[index] / 2),
          Int32(clamping: row / 4), rows, shift)
      }
    }
    return true
  }
}
