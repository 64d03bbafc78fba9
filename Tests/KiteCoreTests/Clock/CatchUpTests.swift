import KiteSystem
import Testing

@testable import KiteCore

@Suite struct CatchUpTests {
  private static let duration: Int64 = 40_000_000

  /// Frames every 40 ms from `start` for `length`, all as late; returns the time after them.
  private static func play(
    _ catchUp: inout CatchUp, from start: MonotonicTime, for length: MediaTime, lateness: Int64
  ) -> MonotonicTime {
    var now = start
    while now < start + length.nanoseconds {
      catchUp.frame(lateness: lateness, duration: duration, at: now)
      now = now + duration
    }
    return now
  }

  @Test func aHiccupChangesNothing() {
    var catchUp = CatchUp()
    for _ in 0..<10 {
      for _ in 0..<4 { catchUp.frame(lateness: 60_000_000, duration: Self.duration, at: .ms(0)) }
      catchUp.frame(lateness: 0, duration: Self.duration, at: .ms(0))
    }
    #expect(!catchUp.skipsNonReferenceFrames)
  }

  @Test func fiveLateFramesInARowSkip() {
    var catchUp = CatchUp()
    for _ in 0..<5 { catchUp.frame(lateness: 60_000_000, duration: Self.duration, at: .ms(0)) }
    #expect(catchUp.skipsNonReferenceFrames)
    #expect(!catchUp.seeksKeyframe)
  }

  @Test func oneVeryLateFrameSkips() {
    var catchUp = CatchUp()
    catchUp.frame(lateness: 250_000_000, duration: Self.duration, at: .ms(0))
    #expect(catchUp.skipsNonReferenceFrames)
  }

  @Test func latenessBelowAFramesDurationIsNone() {
    var catchUp = CatchUp()
    _ = Self.play(&catchUp, from: .ms(0), for: .ms(10_000), lateness: Self.duration)
    #expect(!catchUp.skipsNonReferenceFrames)
  }

  @Test func twoSecondsInTimeEndTheSkipping() {
    var catchUp = CatchUp()
    catchUp.frame(lateness: 300_000_000, duration: Self.duration, at: .ms(0))
    let now = Self.play(&catchUp, from: .ms(0), for: .ms(1960), lateness: 0)
    #expect(catchUp.skipsNonReferenceFrames)
    _ = Self.play(&catchUp, from: now, for: .ms(80), lateness: 0)
    #expect(!catchUp.skipsNonReferenceFrames)
  }

  @Test func aLateFrameBeginsTheWaitAnew() {
    var catchUp = CatchUp()
    catchUp.frame(lateness: 300_000_000, duration: Self.duration, at: .ms(0))
    var now = Self.play(&catchUp, from: .ms(0), for: .ms(1900), lateness: 0)
    catchUp.frame(lateness: 100_000_000, duration: Self.duration, at: now)
    now = Self.play(&catchUp, from: now, for: .ms(1900), lateness: 0)
    #expect(catchUp.skipsNonReferenceFrames)
  }

  @Test func lateAgainSoonDoublesTheWait() {
    var catchUp = CatchUp()
    var now = MonotonicTime.ms(0)
    for seconds in [2, 4, 8, 16, 32, 32] as [Int64] {
      catchUp.frame(lateness: 300_000_000, duration: Self.duration, at: now)
      now = Self.play(&catchUp, from: now, for: .ms(seconds * 1000 - 40), lateness: 0)
      #expect(catchUp.skipsNonReferenceFrames)
      now = Self.play(&catchUp, from: now, for: .ms(120), lateness: 0)
      #expect(!catchUp.skipsNonReferenceFrames)
    }
    now = now + 11_000_000_000
    catchUp.frame(lateness: 300_000_000, duration: Self.duration, at: now)
    now = Self.play(&catchUp, from: now, for: .ms(2100), lateness: 0)
    #expect(!catchUp.skipsNonReferenceFrames)
  }

  @Test func twoSecondsLateSeeksAKeyframe() {
    var catchUp = CatchUp()
    catchUp.frame(lateness: CatchUp.hopelesslyLate, duration: Self.duration, at: .ms(0))
    #expect(catchUp.seeksKeyframe)
    catchUp.foundKeyframe()
    #expect(!catchUp.seeksKeyframe)
    #expect(catchUp.skipsNonReferenceFrames)
  }

  @Test func aClockThatWasSetForgetsLateness() {
    var catchUp = CatchUp()
    for _ in 0..<4 { catchUp.frame(lateness: 60_000_000, duration: Self.duration, at: .ms(0)) }
    catchUp.clockWasSet()
    catchUp.frame(lateness: 60_000_000, duration: Self.duration, at: .ms(0))
    #expect(!catchUp.skipsNonReferenceFrames)
    catchUp.frame(lateness: 3_000_000_000, duration: Self.duration, at: .ms(0))
    catchUp.clockWasSet()
    #expect(!catchUp.seeksKeyframe)
  }
}
