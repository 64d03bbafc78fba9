internal import Glibc

/// A file descriptor that came with an event and belongs to this process.
///
/// It is closed when the last reference goes, unless somebody took it before.
public final class ReceivedDescriptor {
  /// The descriptor; -1 after `take()`.
  public private(set) var rawValue: Int32

  init(owning descriptor: Int32) { rawValue = descriptor }

  /// Hands the descriptor over to the caller, who closes it. -1 if it was taken before.
  public func take() -> Int32 {
    defer { rawValue = -1 }
    return rawValue
  }

  deinit {
    if rawValue >= 0 { close(rawValue) }
  }
}
