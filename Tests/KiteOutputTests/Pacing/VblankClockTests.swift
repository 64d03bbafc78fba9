import KiteSystem
import Testing

@testable import KiteOutput

@Suite struct VblankClockTests {
  private static let refresh: Int64 = 16_666_667

  /// A clock that has seen `count` vblanks of `period` ns from `start` on.
  private func clock(_ count: Int, period: Int64, start: Int64 = 5_000_000_000) -> VblankClock {
    var clock = VblankClock()
    for index in 0..<count {
      clock.presented(
        at: MonotonicTime(nanoseconds: start + Int64(index) * period), refresh: Self.refresh)
    }
    return clock
  }

  @Test func nothingIsPredictedBeforeARunOfSamplesFits() {
    #expect(clock(VblankClock.confidence, period: Self.refresh).period == nil)
    #expect(clock(VblankClock.confidence + 1, period: Self.refresh).period != nil)
  }

  @Test func aPeriodThatIsNotQuiteTheNominalOneIsMeasured() throws {
    // 59.94 Hz that says 60.
    let period = 16_683_333.0
    let clock = clock(600, period: Int64(period))
    #expect(abs(try #require(clock.period) - period) < 100)
    let position = try #require(clock.position(of: MonotonicTime(nanoseconds: 20_000_000_000)))
    let next = try #require(clock.time(of: position))
    #expect(abs(next.nanoseconds - 20_000_000_000) < 10)
  }

  @Test func framesThatStayForSeveralVblanksTellAsMuch() throws {
    var clock = VblankClock()
    var time = MonotonicTime(nanoseconds: 0)
    for stay in Array(repeating: [2, 3], count: 20).flatMap(\.self) {
      clock.presented(at: time, refresh: Self.refresh)
      time = time + Int64(stay) * Self.refresh
    }
    #expect(abs(try #require(clock.period) - Double(Self.refresh)) < 1)
    #expect(abs(try #require(clock.position(of: time)).rounded() - 100) < 0.001)
  }

  @Test func aTimerThatIsNoVblankIsNotBelieved() {
    var clock = VblankClock()
    var generator = Generator(state: 3)
    var time = MonotonicTime(nanoseconds: 0)
    for _ in 0..<2000 {
      // Weston's headless output under load: 28 to 34 ms, and 16.7 in the feedback.
      time = time + Int64.random(in: 28_000_000...34_000_000, using: &generator)
      clock.presented(at: time, refresh: Self.refresh)
      #expect(clock.period == nil)
    }
  }

  @Test func oneOddSampleIsPassedOverAndTwoAreAnotherPhase() {
    var clock = clock(30, period: Self.refresh)
    let epoch = clock.epoch
    var time = MonotonicTime(nanoseconds: 5_000_000_000 + 30 * Self.refresh)
    clock.presented(at: time + 6_000_000, refresh: Self.refresh)
    #expect(clock.period != nil && clock.epoch == epoch)
    for _ in 0..<2 {
      time = time + Self.refresh
      clock.presented(at: time + 6_000_000, refresh: Self.refresh)
    }
    #expect(clock.epoch != epoch)
    #expect(clock.period == nil)
  }

  @Test func lateFeedbackAndAnotherOutputAndNoRefreshAreTold() {
    var clock = clock(30, period: Self.refresh)
    let before = clock.position(of: MonotonicTime(nanoseconds: 6_000_000_000))
    clock.presented(at: MonotonicTime(nanoseconds: 5_000_000_123), refresh: Self.refresh)
    #expect(clock.position(of: MonotonicTime(nanoseconds: 6_000_000_000)) == before)
    clock.presented(at: MonotonicTime(nanoseconds: 7_000_000_000), refresh: 6_944_444)
    #expect(clock.period == nil)
    clock = self.clock(30, period: Self.refresh)
    clock.presented(at: MonotonicTime(nanoseconds: 7_000_000_000), refresh: 0)
    #expect(clock.period == nil)
  }
}
