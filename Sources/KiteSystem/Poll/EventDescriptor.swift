import CLinux
import Glibc

/// An eventfd: any thread signals it, one loop polls it.
public struct EventDescriptor: ~Copyable, Sendable {
  private let file: FileDescriptor

  /// The descriptor to poll for reading; borrowed.
  public var descriptor: Int32 { file.rawValue }

  /// Makes an event that is not signalled.
  public init() throws(SystemError) {
    let raw = kite_eventfd()
    guard raw >= 0 else { throw SystemError(call: "eventfd", subject: "making an event") }
    file = FileDescriptor(owning: raw)
  }

  /// Makes the descriptor readable. Never blocks; signal-safe.
  public borrowing func signal() {
    var one: UInt64 = 1
    _ = write(file.rawValue, &one, 8)
  }

  /// Makes the descriptor unreadable until the next signal.
  public borrowing func acknowledge() {
    var count: UInt64 = 0
    _ = read(file.rawValue, &count, 8)
  }
}
