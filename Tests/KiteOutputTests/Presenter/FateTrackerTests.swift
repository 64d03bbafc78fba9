import KiteSystem
import Testing

@testable import KiteOutput

@Suite struct FateTrackerTests {
  private func at(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: 1_000_000_000 + milliseconds * 1_000_000)
  }

  private func settled(_ commit: UInt64, _ fate: FateTracker.Fate) -> FateTracker.Settlement {
    FateTracker.Settlement(commit: commit, fate: fate)
  }

  @Test func feedbackSettlesItsOwnFrameInAnyOrder() {
    var tracker = FateTracker()
    for commit in 1...3 as ClosedRange<UInt64> {
      #expect(tracker.committed(commit, at: at(0), expectsFeedback: true) == [])
    }
    #expect(tracker.presented(2) == [settled(2, .presented)])
    #expect(tracker.discarded(1, newest: 3) == [settled(1, .superseded)])
    #expect(tracker.discarded(3, newest: 3) == [settled(3, .failed)])
    #expect(tracker.isSettled)
    #expect(tracker.presented(3) == [], "a second answer counts for nothing")
  }

  @Test func aFrameThatARepaintReplacedIsShownByTheRepaint() {
    var tracker = FateTracker()
    _ = tracker.committed(1, at: at(0), expectsFeedback: true)
    #expect(tracker.recommitted(1) == true)
    #expect(tracker.discarded(1, newest: 1) == [])
    #expect(tracker.presented(1) == [settled(1, .presented)])
    #expect(tracker.recommitted(1) == false, "its fate is known")
    _ = tracker.committed(2, at: at(20), expectsFeedback: true)
    #expect(tracker.recommitted(2) == true)
    #expect(tracker.discarded(2, newest: 2) == [])
    #expect(tracker.discarded(2, newest: 2) == [settled(2, .failed)])
  }

  @Test func withoutFeedbackTheCallbackCounts() {
    var tracker = FateTracker()
    _ = tracker.committed(1, at: at(0), expectsFeedback: false)
    _ = tracker.committed(2, at: at(16), expectsFeedback: false)
    #expect(tracker.callback(2) == [settled(1, .superseded), settled(2, .presented)])
  }

  @Test func silentFeedbackGivesWayToCallbacksAfterHalfASecond() {
    var tracker = FateTracker()
    _ = tracker.committed(1, at: at(0), expectsFeedback: true)
    #expect(tracker.callback(1) == [])
    #expect(tracker.deadline == at(500))
    #expect(tracker.tick(at(499)) == [])
    #expect(tracker.tick(at(500)) == [settled(1, .presented)])
    _ = tracker.committed(2, at: at(510), expectsFeedback: true)
    #expect(tracker.callback(2) == [settled(2, .presented)], "known to be silent: no waiting any more")
  }

  @Test func feedbackThatComesBackIsTrustedAgain() {
    var tracker = FateTracker()
    _ = tracker.committed(1, at: at(0), expectsFeedback: true)
    _ = tracker.callback(1)
    _ = tracker.tick(at(600))
    _ = tracker.committed(2, at: at(610), expectsFeedback: true)
    #expect(tracker.presented(2) == [settled(2, .presented)])
    _ = tracker.committed(3, at: at(620), expectsFeedback: true)
    #expect(tracker.callback(3) == [])
  }

  @Test func framesThatNobodyAnswersForAreBounded() {
    var tracker = FateTracker()
    var ends: [FateTracker.Settlement] = []
    for commit in 1...100 as ClosedRange<UInt64> {
      ends += tracker.committed(commit, at: at(Int64(commit)), expectsFeedback: true)
    }
    #expect(ends == (1...92).map { settled($0, .superseded) })
    #expect(tracker.deadline == nil, "nothing to wake up for")
    #expect(tracker.abandon().count == 8)
    #expect(tracker.isSettled)
  }
}
