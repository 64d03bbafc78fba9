import CLinux
import Glibc

/// A point on the kernel's monotonic clock (`CLOCK_MONOTONIC`), in nanoseconds.
public struct MonotonicTime: Hashable, Comparable, Sendable {
  /// Nanoseconds since an unspecified start, usually boot.
  public var nanoseconds: Int64

  /// A point at `nanoseconds` on the clock.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The moment that the kernel's clock number `clock` (`CLOCK_…`) calls `nanoseconds`, on this clock. Other clocks drift
  /// against this one: right for moments that are not long ago.
  public init(nanoseconds: Int64, onClock clock: Int32) {
    guard clock != CLOCK_MONOTONIC else {
      self.nanoseconds = nanoseconds
      return
    }
    self.nanoseconds = kite_clock_ns(CLOCK_MONOTONIC) &- (kite_clock_ns(clock) &- nanoseconds)
  }

  /// What the kernel's clock number `clock` (`CLOCK_…`) will call this moment: right for moments that are not far off.
  public func nanoseconds(onClock clock: Int32) -> Int64 {
    guard clock != CLOCK_MONOTONIC else { return nanoseconds }
    return kite_clock_ns(clock) &+ (nanoseconds &- kite_clock_ns(CLOCK_MONOTONIC))
  }

  /// The clock's time at the call.
  public static var now: MonotonicTime {
    MonotonicTime(nanoseconds: kite_clock_ns(CLOCK_MONOTONIC))
  }

  /// Before every other point.
  public static let distantPast = MonotonicTime(nanoseconds: .min / 2)
  /// After every other point.
  public static let distantFuture = MonotonicTime(nanoseconds: .max / 2)

  public static func < (a: MonotonicTime, b: MonotonicTime) -> Bool { a.nanoseconds < b.nanoseconds }

  /// The point `nanoseconds` after `time`.
  public static func + (time: MonotonicTime, nanoseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: time.nanoseconds &+ nanoseconds)
  }

  /// The point `nanoseconds` before `time`.
  public static func - (time: MonotonicTime, nanoseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: time.nanoseconds &- nanoseconds)
  }

  /// Nanoseconds from `b` to `a`; negative when `a` is earlier.
  public static func - (a: MonotonicTime, b: MonotonicTime) -> Int64 {
    a.nanoseconds &- b.nanoseconds
  }
}
