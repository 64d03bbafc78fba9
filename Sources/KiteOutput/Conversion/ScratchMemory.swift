import Glibc

/// Memory between two steps of a conversion. Grows, and is kept from frame to frame.
final class ScratchMemory {
  private(set) var base: UnsafeMutableRawPointer?
  private var byteCount = 0

  /// SIMD kernels may read and write in whole vectors; what they touch past the end stays in here.
  private static let slack = 128
  private static let alignment = 64

  deinit { free(base) }

  /// At least `count` bytes, aligned for every vector unit; what was in them before is lost.
  func reserve(_ count: Int) throws(ConversionError) -> UnsafeMutableRawPointer {
    if let base, byteCount >= count { return base }
    free(base)
    base = nil
    byteCount = 0
    guard posix_memalign(&base, Self.alignment, count + Self.slack) == 0, let base else {
      throw .outOfMemory(bytes: count)
    }
    byteCount = count
    return base
  }

  /// Bytes of a row of `count` bytes, padded so that every row starts on a vector.
  static func stride(_ count: Int) -> Int { (count + alignment - 1) & ~(alignment - 1) }
}
