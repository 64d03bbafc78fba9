import Glibc

/// A file descriptor with one owner, closed when that owner ends.
///
/// May be used on any thread; the value moves, it is never shared.
public struct FileDescriptor: ~Copyable, Sendable {
  /// The descriptor's number; borrowed, never to be closed by the reader.
  public let rawValue: Int32

  /// Takes ownership of `rawValue`, which must be open and owned by nobody else.
  public init(owning rawValue: Int32) {
    self.rawValue = rawValue
  }

  deinit {
    close(rawValue)
  }

  /// Gives up ownership: the caller closes the returned number.
  public consuming func take() -> Int32 {
    let raw = rawValue
    discard self
    return raw
  }

  /// A second descriptor for the same open file (`F_DUPFD_CLOEXEC`).
  public borrowing func duplicate() throws(SystemError) -> FileDescriptor {
    let copy = fcntl(rawValue, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw SystemError(call: "fcntl", subject: "duplicating descriptor \(rawValue)") }
    return FileDescriptor(owning: copy)
  }
}
