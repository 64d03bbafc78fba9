public import KiteSystem

/// Timers of one thread on one timerfd, as a source of its loop. Costs nothing while no timer is set.
public final class TimerSource: PollSource {
  private let timer: TimerDescriptor
  private var queue = TimerQueue()
  private var actions: [UInt64: () -> Void] = [:]
  private var nextID: UInt64 = 1
  private var armed: MonotonicTime?

  /// A source without timers.
  ///
  /// - Throws: `SystemError` when there is no descriptor to be had.
  public init() throws(SystemError) {
    timer = try TimerDescriptor()
  }

  /// A timer that was set.
  public struct Token: Hashable, Sendable {
    let id: UInt64
  }

  /// Calls `action` once, on the loop's thread, when `time` has come.
  @discardableResult
  public func set(at time: MonotonicTime, _ action: @escaping () -> Void) -> Token {
    let id = nextID
    nextID += 1
    queue.set(id, at: time)
    actions[id] = action
    arm()
    return Token(id: id)
  }

  /// Forgets a timer; one that has fired or was cancelled is no matter.
  public func cancel(_ token: Token) {
    queue.cancel(token.id)
    actions[token.id] = nil
    arm()
  }

  /// The timerfd.
  public var descriptor: Int32 { timer.descriptor }

  /// Nothing is to be done before the poll.
  public func prepare() -> PollEvents { .read }

  /// Calls the actions that are due.
  public func process(_ events: PollEvents) {
    guard events.contains(.read) else { return }
    timer.acknowledge()
    armed = nil
    // What an action sets for now or earlier waits for the next turn, so that the loop always gets on.
    let now = MonotonicTime.now
    var due: [UInt64] = []
    while let id = queue.popDue(at: now) { due.append(id) }
    for id in due { actions.removeValue(forKey: id)?() }
    arm()
  }

  private func arm() {
    guard armed != queue.deadline else { return }
    armed = queue.deadline
    timer.arm(at: armed)
  }
}
