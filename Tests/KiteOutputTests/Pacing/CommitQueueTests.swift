import KiteSystem
import Testing

@testable import KiteOutput

/// Frames that are committed ahead come when they should, and few of them can't be called back.
@Suite struct CommitQueueTests {
  @Test(arguments: CadenceTests.pairs, CadenceTests.delays)
  func everyFrameIsShownAtItsVblankInTheSteadiestPattern(_ pair: CadenceTests.Pair, delay: Int64) {
    let outcome = QueueWorld(film: pair.film, hertz: pair.output, delay: delay).play()
    let frames = Int(pair.film * CadenceTests.seconds)
    #expect(outcome.tally.onTime >= frames - 30, "\(outcome.tally)")
    #expect(outcome.tally.oneLate + outcome.tally.moreLate + outcome.tally.early == 0, "\(outcome.tally)")
    #expect(outcome.shown + outcome.superseded == frames)
    #expect(outcome.superseded <= 2, "only before the vblanks are known")
    #expect(outcome.mostInFlight <= CommitQueue.limit && outcome.mostInFlight >= 2)
    #expect(outcome.farthestAhead <= CommitQueue.horizon)
    let breaks = pair.breaks(in: outcome.stays)
    #expect(
      breaks <= (pair.slips + 1) * 2 * pair.pattern.count && (pair.slips > 0 || breaks == 0), "\(breaks)")
  }

  /// An arrival and an answer: nothing wakes for a vblank.
  @Test func thePresenterWakesTwiceAFrame() {
    let outcome = QueueWorld(film: 60, hertz: 60, delay: 0, seconds: 60).play()
    #expect(Double(outcome.turns) / Double(outcome.shown) < 2.05)
  }

  @Test func whereRefreshIsNotKnownFramesComeAtTheFirstVblankAfterTheirTimes() {
    let outcome = QueueWorld(film: 24, hertz: 60, delay: 4_000_000, told: 0).play()
    #expect(outcome.shown == Int(24 * CadenceTests.seconds) && outcome.superseded == 0)
    #expect(outcome.mostInFlight >= 2)
  }

  @Test func moreFramesThanRefreshesLeaveOutTheFewest() {
    let outcome = QueueWorld(film: 60, hertz: 50, delay: 1_000_000, seconds: 60).play()
    #expect(outcome.superseded >= 590 && outcome.superseded <= 620, "\(outcome.superseded)")
    #expect(outcome.tally.oneLate + outcome.tally.moreLate == 0, "\(outcome.tally)")
  }

  @Test func aCompositorThatNeverTakesThemIsGivenFramesOnTheNextRung() {
    let outcome = QueueWorld(film: 30, hertz: 60, delay: 0, seconds: 60, latches: false).play()
    #expect(outcome.stuck == 1)
    // What came in the half second of patience, and what was in the queue.
    #expect(outcome.superseded <= 25, "\(outcome.superseded)")
    #expect(outcome.shown >= 30 * 60 - 25)
  }

  // MARK: One rule each

  private static let start = MonotonicTime(nanoseconds: 10_000_000_000)

  /// A queue after the first frame was shown.
  private func working() -> CommitQueue {
    var queue = CommitQueue(isOffered: true)
    queue.settled(1, wasShown: true)
    return queue
  }

  @Test func itBeginsWithTheFirstFrameThatWasShown() {
    var queue = CommitQueue(isOffered: true)
    #expect(!queue.isWorking(at: Self.start))
    queue.settled(1, wasShown: false)
    #expect(!queue.isWorking(at: Self.start))
    queue.settled(2, wasShown: true)
    #expect(queue.isWorking(at: Self.start))
    var absent = CommitQueue(isOffered: false)
    absent.settled(1, wasShown: true)
    #expect(!absent.isWorking(at: Self.start))
  }

  @Test func theFirstFrameAfterAJumpTakesThePlaceOfWhatIsQueued() {
    var queue = working()
    let target = Self.start + 40_000_000
    func terms(_ vblank: Double) -> CommitQueue.Terms {
      queue.terms(
        target: target, aim: FramePacer.Aim(vblank: vblank, epoch: 1), vblank: target + 10_000_000,
        period: 16_000_000, duration: 16_000_000, at: Self.start)
    }
    let first = terms(1)
    let second = terms(2)
    queue.flush()
    let afterJump = terms(3)
    _ = terms(4)
    let again = terms(4)
    #expect(first == CommitQueue.Terms())
    let latest = target + 18_000_000
    #expect(second == CommitQueue.Terms(time: target + 2_000_000, waits: true, latest: latest))
    #expect(afterJump == CommitQueue.Terms())
    // Two for one vblank: the second one is seen.
    #expect(again == CommitQueue.Terms(time: target + 2_000_000, waits: false, latest: latest))
  }

  @Test func aLateFrameWaitsForNothing() {
    var queue = working()
    _ = queue.terms(target: Self.start, aim: nil, vblank: nil, period: nil, duration: 1, at: Self.start)
    let late = queue.terms(
      target: Self.start - 1, aim: nil, vblank: nil, period: nil, duration: 1, at: Self.start)
    #expect(late == CommitQueue.Terms())
  }

  /// One that takes its predecessor's place, and not each of those that were on their way.
  @Test func oneFrameCatchesUp() {
    var queue = working()
    var waits: [Bool] = []
    for commit in UInt64(2)...9 {
      let target = Self.start + Int64(commit) * 10_000_000
      let terms = queue.terms(
        target: target, aim: nil, vblank: nil, period: nil, duration: 10, at: Self.start)
      waits.append(terms.waits)
      queue.committed(commit, due: target, terms: terms, at: Self.start)
      guard commit >= 4 else { continue }
      // Everything until the one that caught up is late.
      let isLate = !waits.dropFirst().dropLast().contains(false)
      let former = Self.start + Int64(commit - 1) * 10_000_000
      queue.presented(commit - 1, at: isLate ? former + 5_000_000 : former)
      queue.settled(commit - 1, wasShown: true)
    }
    #expect(waits == [false, true, true, false, true, true, true, true])
  }

  @Test func framesGoOutInOrderButForThoseWhoseSuccessorIsDue() {
    let queue = working()
    func decide(_ milliseconds: Int64...) -> PresentationLaw.Decision {
      queue.decide(targets: milliseconds.map { Self.start + $0 * 1_000_000 }, now: Self.start)
    }
    #expect(decide() == .idle)
    #expect(decide(20, 40) == .commit(index: 0))
    #expect(decide(-40, -20, 0, 20) == .commit(index: 2))
    #expect(decide(100) == .wait(until: Self.start + 16_000_000))
  }

  @Test func noMoreThanThreeAreInFlight() {
    var queue = working()
    for commit in 2...4 { queue.committed(UInt64(commit), due: Self.start, terms: .init(), at: Self.start) }
    #expect(queue.decide(targets: [Self.start], now: Self.start) == .idle)
    queue.settled(3, wasShown: false)
    #expect(queue.decide(targets: [Self.start], now: Self.start) == .commit(index: 0))
  }

  @Test func oneThatHasWorkedAndIsNotSeenWorksAgainWhenItIs() {
    var queue = working()
    queue.committed(2, due: Self.start, terms: .init(time: Self.start), at: Self.start)
    queue.settled(2, wasShown: true)
    queue.committed(3, due: Self.start, terms: .init(), at: Self.start)
    let isStuckEarly = queue.tick(Self.start + CommitQueue.patience - 1)
    let isStuck = queue.tick(Self.start + CommitQueue.patience)
    #expect(!isStuckEarly && isStuck)
    #expect(!queue.isWorking(at: Self.start))
    queue.settled(9, wasShown: true)
    #expect(queue.isWorking(at: Self.start))
    // Not a second time without a frame in between.
    queue.committed(10, due: Self.start, terms: .init(), at: Self.start)
    let isStuckAgain = queue.tick(Self.start + CommitQueue.patience)
    queue.settled(11, wasShown: true)
    #expect(isStuckAgain && !queue.isWorking(at: Self.start))
  }

  @Test func oneThatHasNeverWorkedIsNotTriedAgain() {
    var queue = working()
    // One without a time passes anywhere.
    queue.committed(1, due: Self.start, terms: .init(), at: Self.start)
    queue.settled(1, wasShown: true)
    queue.committed(2, due: Self.start, terms: .init(time: Self.start), at: Self.start)
    let isStuck = queue.tick(Self.start + CommitQueue.patience)
    #expect(isStuck)
    queue.settled(9, wasShown: true)
    #expect(!queue.isWorking(at: Self.start))
  }

  @Test func nothingIsQueuedWhileTheWindowIsResized() {
    var queue = working()
    queue.geometryChanged(at: Self.start)
    #expect(!queue.isWorking(at: Self.start + CommitQueue.calm - 1))
    #expect(queue.lead(for: 40_000_000, at: Self.start) == nil)
    #expect(queue.isWorking(at: Self.start + CommitQueue.calm))
    #expect(queue.lead(for: 40_000_000, at: Self.start + CommitQueue.calm) == CommitQueue.horizon)
  }
}
