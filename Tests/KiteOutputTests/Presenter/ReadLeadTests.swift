import KiteSystem
import Testing

@testable import KiteOutput

@Suite struct ReadLeadTests {
  private let start = MonotonicTime(nanoseconds: 1_000_000_000)

  @Test func theFirstCommitTakesTheLeadAndTheOthersKeepIt() {
    var lead = ReadLead()
    #expect(lead.committed(at: start) == .lead)
    #expect(lead.committed(at: start + 33_000_000) == nil)
    #expect(lead.deadline == start + 33_000_000 + ReadLead.term)
  }

  @Test func theLeadIsGivenBackWhenNoFrameCame() {
    var lead = ReadLead()
    #expect(lead.tick(start) == nil)
    _ = lead.committed(at: start)
    #expect(lead.tick(start + ReadLead.term - 1) == nil)
    #expect(lead.tick(start + ReadLead.term) == .resign)
    #expect(lead.tick(start + ReadLead.term) == nil)
    #expect(lead.deadline == nil)
    #expect(lead.committed(at: start + 2 * ReadLead.term) == .lead)
  }

  @Test func theEndGivesItBackOnce() {
    var lead = ReadLead()
    #expect(lead.stop() == nil)
    _ = lead.committed(at: start)
    #expect(lead.stop() == .resign)
    #expect(lead.stop() == nil)
  }
}
