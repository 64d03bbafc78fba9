import KiteSystem

/// The clock that an engine lives by: the kernel's, or one that a test moves by hand.
protocol TimeSource: AnyObject, Sendable {
  /// The time now.
  var now: MonotonicTime { get }
  /// Whether this is `CLOCK_MONOTONIC`, on which condition variables time out by themselves.
  var isKernelClock: Bool { get }
  /// Calls `wake` once `time` has come. Nil, without a call, when it has come already.
  func arm(at time: MonotonicTime, _ wake: @escaping @Sendable () -> Void) -> UInt64?
  /// Forgets an alarm; unknown ones are ignored.
  func disarm(_ alarm: UInt64)
}

/// `CLOCK_MONOTONIC`.
final class KernelTime: TimeSource {
  static let shared = KernelTime()
  var now: MonotonicTime { .now }
  var isKernelClock: Bool { true }
  func arm(at time: MonotonicTime, _ wake: @escaping @Sendable () -> Void) -> UInt64? { nil }
  func disarm(_ alarm: UInt64) {}
}
