internal import KiteSystem

/// Which timers are due, as a value: ordered by time, equal times in the order in which they were set.
struct TimerQueue {
  private struct Entry {
    let id: UInt64
    let time: MonotonicTime
  }

  private var entries: [Entry] = []

  /// When the next timer is due; nil without one.
  var deadline: MonotonicTime? { entries.first?.time }

  /// Sets timer `id`, which must not be set already.
  mutating func set(_ id: UInt64, at time: MonotonicTime) {
    let index = entries.firstIndex { $0.time > time } ?? entries.endIndex
    entries.insert(Entry(id: id, time: time), at: index)
  }

  /// Forgets timer `id`; one that isn't set is no matter.
  mutating func cancel(_ id: UInt64) {
    entries.removeAll { $0.id == id }
  }

  /// Takes the timer that is due first at `now`, if any is.
  mutating func popDue(at now: MonotonicTime) -> UInt64? {
    guard let first = entries.first, first.time <= now else { return nil }
    entries.removeFirst()
    return first.id
  }
}
