import KiteSystem

/// Which of the waiting frames goes out, and when: the newest that is due; a late one only if no newer one is due too.
struct PresentationLaw {
  /// What to do now.
  enum Decision: Hashable {
    /// Commit the frame at `index`; those before it are superseded.
    case commit(index: Int)
    /// Nothing is to be done before this time.
    case wait(until: MonotonicTime)
    /// Nothing is to be done before a frame or an event comes.
    case idle
  }

  /// How much earlier than its target a frame may go out, in nanoseconds. The timer and the way to the compositor
  /// take about half a millisecond; a frame a little early is latched by the vblank that it is for.
  static let slack: Int64 = 500_000

  /// Decides over the targets of the waiting frames, in the order in which they arrived.
  static func decide(
    targets: some RandomAccessCollection<MonotonicTime>, now: MonotonicTime, opening: MonotonicTime
  ) -> Decision {
    guard let earliest = targets.min() else { return .idle }
    let due = earliest - slack
    guard now >= due, now >= opening else { return .wait(until: max(due, opening)) }
    // Targets of a stream that jumped back are not sorted: the latest to arrive of those that are due is the newest.
    let newest = targets.lastIndex { now >= $0 - slack }
    return newest.map { .commit(index: targets.distance(from: targets.startIndex, to: $0)) }
      ?? .wait(until: due)
  }
}
