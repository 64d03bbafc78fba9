import KiteCore
import KiteSystem

/// Tells a jump of the position from its ticking: a pure value, fed with what is known at one instant and then another.
struct PositionJumps {
  /// What differs by less is taken for the ticking, in nanoseconds: states come with some delay.
  static let tolerance = 1_000_000_000 as Int64

  private var last: (position: MediaTime, isTicking: Bool, rate: Double, time: MonotonicTime)?

  /// The position at `time`. Returns whether it has jumped since the last one.
  ///
  /// - Parameter rate: media seconds a second while it ticks.
  mutating func note(
    _ position: MediaTime, isTicking: Bool, rate: Double = 1, at time: MonotonicTime
  ) -> Bool {
    defer { last = (position, isTicking, rate, time) }
    guard let last else { return false }
    // It has ticked on for at most the time that has passed, and perhaps stood.
    let seconds = last.isTicking || isTicking ? Double(max(0, time - last.time)) / 1e9 : 0
    let passed = MediaTime(seconds: seconds * max(rate, last.rate)).nanoseconds
    let moved = (position - last.position).nanoseconds
    return moved < -Self.tolerance || moved > passed &+ Self.tolerance
  }

  /// Other media, or none: the next position is the first.
  mutating func reset() { last = nil }
}
