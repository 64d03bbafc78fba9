import Glibc
import KiteSystem
import Synchronization

@testable import KiteCore

/// A clock that stands until a test moves it.
final class ManualTime: TimeSource {
  private struct Box {
    var now = MonotonicTime(nanoseconds: 1_000_000_000)
    var alarms: [UInt64: (time: MonotonicTime, wake: @Sendable () -> Void)] = [:]
    var nextID: UInt64 = 0
    var armings = 0
  }

  private let box = Locked(Box())
  /// Threads that rest in `sleep`, until their time comes.
  private let resting = Atomic(0)

  var now: MonotonicTime { box.withLock { $0.now } }
  var isKernelClock: Bool { false }
  var restingThreads: Int { resting.load(ordering: .acquiring) }
  /// How often anybody asked to be woken at some time.
  var armings: Int { box.withLock { $0.armings } }
  /// When the next alarm is.
  var nextAlarm: MonotonicTime? { box.withLock { $0.alarms.values.map(\.time).min() } }

  func arm(at time: MonotonicTime, _ wake: @escaping @Sendable () -> Void) -> UInt64? {
    box.withLock { box in
      guard time > box.now else { return nil }
      box.armings += 1
      box.nextID += 1
      box.alarms[box.nextID] = (time, wake)
      return box.nextID
    }
  }

  func disarm(_ alarm: UInt64) {
    _ = box.withLock { $0.alarms.removeValue(forKey: alarm) }
  }

  /// Moves the clock, and wakes who waited for a time up to then.
  func advance(to time: MonotonicTime) {
    let due = box.withLock { box -> [@Sendable () -> Void] in
      box.now = max(box.now, time)
      let due = box.alarms.filter { $0.value.time <= box.now }
      for id in due.keys { box.alarms.removeValue(forKey: id) }
      return due.values.sorted { $0.time < $1.time }.map(\.wake)
    }
    for wake in due { wake() }
  }

  /// Rests the calling thread for `nanoseconds` of this clock, as one does that works.
  func sleep(_ nanoseconds: Int64) {
    guard nanoseconds > 0 else { return }
    let gate = Gate()
    let alarm = arm(at: now + nanoseconds) { [self] in
      resting.subtract(1, ordering: .acquiringAndReleasing)
      gate.open()
    }
    guard alarm != nil else { return }
    // Only now does it count as resting: whoever sees that may move the clock, and the alarm has to be there by then.
    resting.add(1, ordering: .acquiringAndReleasing)
    gate.wait()
  }
}

/// Holds threads up until it is opened.
final class Gate: Sendable {
  private let isOpened = Atomic(false)
  var isOpen: Bool { isOpened.load(ordering: .acquiring) }
  func open() { isOpened.store(true, ordering: .releasing) }
  func close() { isOpened.store(false, ordering: .releasing) }
  /// Waits for the opening; false when `interrupt` was set first.
  @discardableResult
  func wait(interrupt: InterruptFlag? = nil) -> Bool {
    while !isOpen {
      if interrupt?.isSet == true { return false }
      usleep(100)
    }
    return true
  }
}
