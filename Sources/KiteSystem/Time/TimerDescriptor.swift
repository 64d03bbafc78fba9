import CLinux
import Glibc

/// A timerfd on `CLOCK_MONOTONIC`: readable when its time has come. Costs no thread and no allocation per tick.
public struct TimerDescriptor: ~Copyable, Sendable {
  private let file: FileDescriptor

  /// The descriptor to poll for reading; borrowed.
  public var descriptor: Int32 { file.rawValue }

  /// Makes a timer that is not armed.
  public init() throws(SystemError) {
    let raw = kite_timerfd()
    guard raw >= 0 else { throw SystemError(call: "timerfd_create", subject: "making a timer") }
    file = FileDescriptor(owning: raw)
  }

  /// Arms the timer for an absolute time, or disarms it with nil. A time already past fires at once.
  public borrowing func arm(at time: MonotonicTime?) {
    // Zero disarms a timerfd, so that a time at or before the clock's start becomes 1 ns.
    _ = kite_timerfd_arm(file.rawValue, time.map { max(1, $0.nanoseconds) } ?? 0)
  }

  /// Makes the descriptor unreadable again until the next arming.
  public borrowing func acknowledge() {
    var count: UInt64 = 0
    _ = read(file.rawValue, &count, 8)
  }
}
