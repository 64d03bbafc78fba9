internal import Glibc
internal import KiteSystem

/// Reads the table of `zwp_linux_dmabuf_feedback_v1.format_table`.
enum DmabufFormatTable {
  /// Bytes of a row: the format, four unused ones, the modifier.
  private static let rowLength = 16
  /// Rows are counted with 16 bits.
  private static let limit = rowLength * 65_536

  /// Maps `file` read-only, copies the rows, and lets go of both. Nothing for a file that is shorter than it is said to
  /// be, which would end the process when read.
  static func read(_ file: consuming FileDescriptor, byteCount: Int) -> [DmabufFormat] {
    let byteCount = min(byteCount, limit) / rowLength * rowLength
    var facts = stat()
    guard byteCount > 0, fstat(file.rawValue, &facts) == 0, Int(facts.st_size) >= byteCount,
      let base = mmap(nil, byteCount, PROT_READ, MAP_PRIVATE, file.rawValue, 0), base != MAP_FAILED
    else { return [] }
    defer { munmap(base, byteCount) }
    let bytes = UnsafeRawBufferPointer(start: base, count: byteCount)
    return stride(from: 0, to: byteCount, by: rowLength).map { at in
      DmabufFormat(
        fourcc: bytes.load(fromByteOffset: at, as: UInt32.self),
        modifier: bytes.load(fromByteOffset: at + 8, as: UInt64.self))
    }
  }
}
