/// A timer in a loop, which only has to wake it.
///
/// Used on its loop's thread alone.
public final class LoopTimer: PollSource {
  private let timer: TimerDescriptor
  private var armed: MonotonicTime?
  /// When it wakes the loop; nil: never.
  public var time: MonotonicTime? { armed }

  /// A timer that is not armed; added to a loop by its owner.
  ///
  /// - Throws: `SystemError` when the process has no descriptor left.
  public init() throws(SystemError) { timer = try TimerDescriptor() }

  /// Wakes the loop at `time`; nil never. A system call only when the time changes.
  public func arm(at time: MonotonicTime?) {
    guard time != armed else { return }
    armed = time
    timer.arm(at: time)
  }

  /// The kernel's timer, for the loop.
  public var descriptor: Int32 { timer.descriptor }
  /// Always waits for the timer.
  public func prepare() -> PollEvents { .read }
  /// Takes the wake-up.
  public func process(_ events: PollEvents) {
    guard events.contains(.read) else { return }
    timer.acknowledge()
    armed = nil
  }
}
