import KiteSystem
import Testing

@testable import KiteCore

@Suite struct PlaybackClockTests {
  @Test func aNewClockStandsAtZero() {
    let clock = PlaybackClock()
    #expect(!clock.isRunning)
    #expect(clock.position(at: .ms(5000)) == .zero)
    #expect(clock.time(of: .ms(1)) == nil)
  }

  @Test func aRunningClockFollowsTime() {
    var clock = PlaybackClock()
    clock.set(.ms(200), at: .ms(1000))
    clock.start(at: .ms(2000))
    #expect(clock.position(at: .ms(2000)) == .ms(200))
    #expect(clock.position(at: .ms(2500)) == .ms(700))
    #expect(clock.time(of: .ms(700)) == .ms(2500))
    #expect(clock.time(of: .zero) == .ms(1800))
  }

  @Test func resumingDoesNotJumpByTheLengthOfThePause() {
    var clock = PlaybackClock()
    clock.start(at: .ms(1000))
    clock.freeze(at: .ms(1300))
    #expect(clock.position(at: .ms(9000)) == .ms(300))
    clock.start(at: .ms(60_000))
    #expect(clock.position(at: .ms(60_000)) == .ms(300))
    #expect(clock.time(of: .ms(400)) == .ms(60_100))
  }

  @Test func startingOrFreezingTwiceChangesNothing() {
    var clock = PlaybackClock()
    clock.start(at: .ms(1000))
    clock.start(at: .ms(1500))
    #expect(clock.position(at: .ms(1600)) == .ms(600))
    clock.freeze(at: .ms(1600))
    clock.freeze(at: .ms(5000))
    #expect(clock.position(at: .ms(6000)) == .ms(600))
  }

  @Test func settingThePositionKeepsRunningOrStanding() {
    var clock = PlaybackClock()
    clock.set(.ms(50), at: .ms(0))
    #expect(!clock.isRunning)
    clock.start(at: .ms(0))
    clock.set(.ms(5000), at: .ms(100))
    #expect(clock.isRunning)
    #expect(clock.position(at: .ms(150)) == .ms(5050))
  }

  @Test func aChangeOfRateDoesNotMoveThePosition() {
    var clock = PlaybackClock()
    clock.start(at: .ms(0))
    clock.setRate(2, at: .ms(1000))
    #expect(clock.position(at: .ms(1000)) == .ms(1000))
    #expect(clock.position(at: .ms(1500)) == .ms(2000))
    #expect(clock.time(of: .ms(3000)) == .ms(2000))
    #expect(clock.span(of: .ms(100)) == 50_000_000)
  }

  @Test(arguments: [0, -1, .nan, .infinity]) func aSenselessRateIsIgnored(rate: Double) {
    var clock = PlaybackClock()
    clock.setRate(rate, at: .ms(0))
    #expect(clock.rate == 1)
  }

  @Test(arguments: [Int64.min, .min + 1, .max]) func extremeTimesSaturate(nanoseconds: Int64) {
    var clock = PlaybackClock()
    clock.set(.ms(10), at: .ms(0))
    clock.start(at: .ms(1000))
    let time = clock.time(of: MediaTime(nanoseconds: nanoseconds))
    #expect(time == (nanoseconds < 0 ? .distantPast : .distantFuture))
  }
}
