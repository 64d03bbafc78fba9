import KiteCore
import KiteSystem
import Testing

@testable import KiteViews

/// Jumps of the position as a table: from a position to another one, after some time.
@Suite struct PositionJumpsTests {
  private static let rows:
    [(what: String, from: Double, to: Double, after: Double, ticks: Bool, jumps: Bool)] = [
      ("it ticks", 10, 15, 5, true, false),
      ("it stood, as while waiting for data", 10, 10, 5, true, false),
      ("it ticked for a part of the time", 10, 12, 5, true, false),
      ("a seek forwards", 10, 30, 5, true, true),
      ("a seek backwards", 10, 2, 5, true, true),
      ("from the end to the start", 10, 0, 0.1, true, true),
      ("paused, it stays", 10, 10, 60, false, false),
      ("paused, a seek forwards", 10, 12, 60, false, true),
      ("paused, a seek backwards", 10, 8, 60, false, true),
      ("a delay of the news", 10, 10.9, 0, true, false),
    ]

  @Test(arguments: rows.indices) func everyRowOfTheTable(_ row: Int) {
    let row = Self.rows[row]
    var jumps = PositionJumps()
    let start = MonotonicTime(nanoseconds: 1_000)
    let later = start + Int64(row.after * 1e9)
    let first = jumps.note(MediaTime(seconds: row.from), isTicking: row.ticks, at: start)
    let second = jumps.note(MediaTime(seconds: row.to), isTicking: row.ticks, at: later)
    let third = jumps.note(MediaTime(seconds: row.to), isTicking: row.ticks, at: later)
    #expect(!first, "the first is no jump")
    #expect(second == row.jumps, "\(row.what)")
    #expect(!third, "told once")
  }

  @Test func otherMediaBeginAnew() {
    var jumps = PositionJumps()
    _ = jumps.note(MediaTime(seconds: 100), isTicking: true, at: .now)
    jumps.reset()
    let hasJumped = jumps.note(.zero, isTicking: true, at: .now)
    #expect(!hasJumped)
  }
}
