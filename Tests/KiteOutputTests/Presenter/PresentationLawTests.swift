import KiteSystem
import Testing

@testable import KiteOutput

@Suite struct PresentationLawTests {
  private func at(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: milliseconds * 1_000_000)
  }

  private func decide(_ targets: [Int64], now: Int64, opening: Int64 = 0) -> PresentationLaw.Decision {
    PresentationLaw.decide(targets: targets.map(at), now: at(now), opening: at(opening))
  }

  @Test func nothingWaitingIsIdle() {
    #expect(decide([], now: 5) == .idle)
  }

  @Test func aFrameWaitsForItsTarget() {
    #expect(decide([100, 133], now: 50) == .wait(until: at(100) - PresentationLaw.slack))
    #expect(decide([100, 133], now: 100) == .commit(index: 0))
  }

  @Test func theNewestDueFrameWins() {
    #expect(decide([100, 133, 166], now: 140) == .commit(index: 1))
  }

  @Test func aLateFrameIsShownWhenNoNewerOneIsDue() {
    #expect(decide([100], now: 900) == .commit(index: 0))
    #expect(decide([100, 2_000], now: 900) == .commit(index: 0))
  }

  @Test func aClosedGateHoldsADueFrame() {
    #expect(decide([100], now: 105, opening: 110) == .wait(until: at(110)))
    #expect(decide([100, 108], now: 110, opening: 110) == .commit(index: 1))
  }

  @Test func afterAJumpBackTheLatestArrivalWins() {
    #expect(decide([5_000, 100], now: 200) == .commit(index: 1))
  }

  @Test func theGateOpensWithTheCallbackOrAfterASecond() {
    var gate = CommitGate()
    #expect(gate.opening == .distantPast)
    gate.committed(at: at(10))
    #expect(gate.opening == at(1_010))
    gate.callback(of: gate.latest)
    #expect(gate.opening == .distantPast)
  }
}
