import KiteSystem
import Testing

@testable import KiteOutput

/// A commit a callback, and bounded waits where none comes.
@Suite struct CommitGateTests {
  private static let start = MonotonicTime(nanoseconds: 1_000_000_000)

  @Test func theFirstCommitOfAHiddenSurfaceIsFollowedByAnotherAttempt() {
    var gate = CommitGate()
    #expect(gate.opening == .distantPast)
    gate.committed(at: Self.start)
    #expect(gate.opening == Self.start + CommitGate.patience)
  }

  @Test func oneCallbackThatIsLostIsNotWaitedForLong() {
    var gate = CommitGate()
    gate.committed(at: Self.start)
    gate.callback(of: gate.latest)
    #expect(gate.opening == .distantPast)
    gate.committed(at: Self.start)
    #expect(gate.opening == Self.start + CommitGate.patienceForOne)
    // The second one in a row: nobody sees the surface.
    gate.committed(at: Self.start + CommitGate.patienceForOne)
    #expect(gate.opening == Self.start + CommitGate.patienceForOne + CommitGate.patience)
    gate.callback(of: gate.latest)
    gate.committed(at: Self.start)
    #expect(gate.opening == Self.start + CommitGate.patienceForOne)
  }

  @Test func aCallbackThatComesLateOpensNothingForTheNextCommit() {
    var gate = CommitGate()
    gate.committed(at: Self.start)
    let first = gate.latest
    gate.callback(of: first)
    gate.committed(at: Self.start)
    gate.callback(of: first)
    #expect(gate.opening > Self.start)
  }

  @Test func whatIsNotNeededAnyMoreProvesNothing() {
    var gate = CommitGate()
    gate.committed(at: Self.start)
    gate.open()
    #expect(gate.opening == .distantPast)
    gate.committed(at: Self.start)
    #expect(gate.opening == Self.start + CommitGate.patience)
  }
}
