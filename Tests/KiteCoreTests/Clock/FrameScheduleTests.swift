import KiteSystem
import Testing

@testable import KiteCore

/// Plays a list of frames by the law alone. The clock's zero is at 1,000 ms.
private struct Script {
  var schedule = FrameSchedule()
  var clock = PlaybackClock()
  var lead: Int64 = 0

  init(first: FrameSchedule.Timing, mediaDuration: MediaTime? = nil, lead: MediaTime = .zero) {
    schedule.mediaDuration = mediaDuration
    self.lead = lead.nanoseconds
    clock.set(schedule.begin(with: first), at: .ms(1000))
    clock.start(at: .ms(1000))
  }

  mutating func next(
    _ head: FrameSchedule.Timing, _ successor: FrameSchedule.Timing? = nil, at now: MonotonicTime
  ) -> FrameSchedule.Verdict {
    schedule.next(head, successor: successor, at: now, lead: lead, clock: &clock)
  }
}

private func frame(_ pts: MediaTime, _ duration: MediaTime = .ms(40)) -> FrameSchedule.Timing {
  FrameSchedule.Timing(pts: pts, duration: duration)
}

@Suite struct FrameScheduleTests {
  @Test func aFrameWaitsForItsTime() {
    var script = Script(first: frame(.zero))
    #expect(script.next(frame(.ms(40)), at: .ms(1001)) == .wait(until: .ms(1040), watchesSuccessor: false))
    #expect(script.next(frame(.ms(40)), at: .ms(1040)) == .deliver(target: .ms(1040)))
  }

  @Test func aFrameIsHandedOverBeforeItsTimeByTheLead() {
    var script = Script(first: frame(.zero), lead: .ms(15))
    #expect(script.next(frame(.ms(40)), at: .ms(1001)) == .wait(until: .ms(1025), watchesSuccessor: false))
    #expect(script.next(frame(.ms(40)), at: .ms(1025)) == .deliver(target: .ms(1040)))
  }

  @Test func theClockStartsFromTheFirstFrame() {
    var script = Script(first: frame(.ms(1400)))
    #expect(script.clock.position(at: .ms(1000)) == .ms(1400))
    #expect(script.next(frame(.ms(1440)), at: .ms(1040)) == .deliver(target: .ms(1040)))
  }

  @Test func aLateFrameIsShownWhenNoOtherIsDue() {
    var script = Script(first: frame(.zero))
    #expect(script.next(frame(.ms(40)), frame(.ms(80)), at: .ms(1079)) == .deliver(target: .ms(1040)))
  }

  @Test func aLateFrameIsShownWhenNoOtherIsThere() {
    var script = Script(first: frame(.zero))
    #expect(script.next(frame(.ms(40)), at: .ms(5000)) == .deliver(target: .ms(1040)))
  }

  @Test func aLateFrameIsDroppedWhenTheNextIsDueToo() {
    var script = Script(first: frame(.zero))
    #expect(script.next(frame(.ms(40)), frame(.ms(80)), at: .ms(1080)) == .drop(target: .ms(1040)))
    #expect(script.next(frame(.ms(80)), frame(.ms(120)), at: .ms(1080)) == .deliver(target: .ms(1080)))
  }

  @Test func theLeadAloneDropsNothing() {
    var script = Script(first: frame(.zero), lead: .ms(200))
    #expect(script.next(frame(.ms(40)), frame(.ms(80)), at: .ms(1010)) == .deliver(target: .ms(1040)))
    #expect(script.next(frame(.ms(80)), frame(.ms(120)), at: .ms(1010)) == .deliver(target: .ms(1080)))
  }

  @Test func variableRatesAreFollowed() {
    var script = Script(first: frame(.zero, .zero))
    for pts in [10, 11, 500, 2000, 2001] as [Int64] {
      #expect(script.next(frame(.ms(pts), .zero), at: .ms(1000 + pts)) == .deliver(target: .ms(1000 + pts)))
    }
  }

  @Test func framesWithoutTimesFollowByTheirDurations() {
    var script = Script(first: frame(.unknown))
    for index in 1...5 as ClosedRange<Int64> {
      #expect(script.next(frame(.unknown), at: .ms(5000)) == .deliver(target: .ms(1000 + 40 * index)))
    }
  }

  @Test func aTimeThatIsRepeatedIsNoTime() {
    var script = Script(first: frame(.zero))
    for index in 1...5 as ClosedRange<Int64> {
      #expect(script.next(frame(.zero), at: .ms(5000)) == .deliver(target: .ms(1000 + 40 * index)))
    }
  }

  @Test func withoutDurationsTheStepBetweenFramesTells() {
    var script = Script(first: frame(.zero, .zero))
    _ = script.next(frame(.ms(20), .zero), at: .ms(1020))
    #expect(script.schedule.end == .ms(40))
    #expect(script.next(frame(.unknown, .zero), at: .ms(1040)) == .deliver(target: .ms(1040)))
    #expect(script.schedule.end == .ms(60))
  }

  @Test func aSmallStepBackIsShownAtOnce() {
    var script = Script(first: frame(.ms(500)))
    #expect(script.next(frame(.ms(450)), at: .ms(1000)) == .deliver(target: .ms(950)))
    #expect(script.clock.position(at: .ms(1000)) == .ms(500))
  }

  @Test func acrossALargeStepBackTheCadenceGoesOn() {
    var script = Script(first: frame(.ms(95_443_000)))
    #expect(script.next(frame(.zero), at: .ms(1001)) == .wait(until: .ms(1040), watchesSuccessor: false))
    #expect(script.next(frame(.zero), frame(.ms(40)), at: .ms(1040)) == .deliver(target: .ms(1040)))
    #expect(script.clock.position(at: .ms(1050)) == .ms(10))
    #expect(script.next(frame(.ms(40)), at: .ms(1080)) == .deliver(target: .ms(1080)))
  }

  @Test func aGapOfSecondsIsPlayed() {
    var script = Script(first: frame(.zero))
    #expect(script.next(frame(.ms(9000)), at: .ms(1040)) == .wait(until: .ms(10_000), watchesSuccessor: true))
  }

  @Test func aGapOfHoursInALiveStreamIsLeaptOver() {
    var script = Script(first: frame(.zero))
    let hour = MediaTime.ms(3_600_000)
    #expect(script.next(frame(hour), at: .ms(1001)) == .wait(until: .ms(1040), watchesSuccessor: false))
    #expect(script.next(frame(hour), at: .ms(1040)) == .deliver(target: .ms(1040)))
    #expect(script.clock.position(at: .ms(1040)) == hour)
  }

  @Test func aGapBehindTheMediasEndIsLeaptOver() {
    var script = Script(first: frame(.zero), mediaDuration: .ms(20_000))
    #expect(script.next(frame(.ms(3_600_000)), at: .ms(1040)) == .deliver(target: .ms(1040)))
  }

  @Test func aGapThatTheMediaIsLongEnoughForIsPlayed() {
    var script = Script(first: frame(.zero), mediaDuration: .ms(7_200_000))
    #expect(
      script.next(frame(.ms(3_600_000)), at: .ms(1040))
        == .wait(until: .ms(3_601_000), watchesSuccessor: true))
  }

  @Test func aWrongTimeAheadIsFoundOutByTheNextFrame() {
    var script = Script(first: frame(.zero), mediaDuration: .ms(7_200_000))
    let wrong = frame(.ms(3_600_000))
    #expect(
      script.next(wrong, frame(.ms(80)), at: .ms(1001)) == .wait(until: .ms(1080), watchesSuccessor: false))
    #expect(script.next(wrong, frame(.ms(80)), at: .ms(1080)) == .drop(target: .ms(3_601_000)))
    #expect(script.next(frame(.ms(80)), frame(.ms(120)), at: .ms(1080)) == .deliver(target: .ms(1080)))
  }

  @Test func aFrameNearTheClockIsNoBreakHoweverLongTheGap() {
    var script = Script(first: frame(.zero))
    // The decoder went on at a later keyframe, 15 s on, and so did the clock.
    #expect(script.next(frame(.ms(15_000)), at: .ms(16_100)) == .deliver(target: .ms(16_000)))
    #expect(script.clock.position(at: .ms(16_100)) == .ms(15_100))
  }

  @Test func aDamagedDurationDoesNotHoldTheEndForHours() {
    var script = Script(first: frame(.zero, .ms(36_000_000)))
    #expect(script.schedule.end == FrameSchedule.longestGap)
    script = Script(first: frame(.zero, .ms(60_000)), mediaDuration: .ms(60_000))
    #expect(script.schedule.end == .ms(60_000))
  }

  @Test(arguments: [Int64.min, .min + 1, -1, 0, .max])
  func extremeTimesDoNotTrap(nanoseconds: Int64) {
    var script = Script(first: frame(MediaTime(nanoseconds: nanoseconds), .ms(40)))
    _ = script.next(frame(.ms(0), MediaTime(nanoseconds: .max)), frame(.ms(40)), at: .ms(1000))
    _ = script.next(frame(MediaTime(nanoseconds: .max), .zero), frame(.unknown), at: .ms(1040))
    _ = script.next(frame(MediaTime(nanoseconds: .min + 1), .zero), at: .ms(1080))
  }
}
