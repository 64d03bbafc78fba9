import KiteCore
import Testing

@Suite struct FrameLedgerTests {
  @Test func everyFrameEndsInOneWay() {
    let ledger = FrameLedger()
    let (a, b, c) = (Held(ledger), Held(ledger), Held(ledger))
    let d = Held(ledger)
    #expect(ledger.counts.inFlight == 4)
    a.ticket.take()?.presented()
    b.ticket.take()?.superseded()
    c.ticket.take()?.failed()
    let counts = ledger.counts
    #expect(
      [counts.accepted, counts.presented, counts.superseded, counts.failed, counts.inFlight] == [
        4, 1, 1, 1, 1,
      ])
    d.ticket = nil
    #expect(ledger.counts.failed == 2)
    #expect(ledger.counts.inFlight == 0)
  }

  /// Keeps a ticket, which can't be in a tuple or an array.
  private final class Held {
    var ticket: FrameTicket?
    init(_ ledger: FrameLedger) { ticket = ledger.accept() }
  }

  @Test func aTicketLetGoCountsAsFailed() {
    let ledger = FrameLedger()
    do { _ = ledger.accept() }
    #expect(ledger.counts.failed == 1)
  }

  @Test func theSumHoldsAtEveryInstant() async {
    let ledger = FrameLedger()
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<3 {
        group.addTask {
          for index in 0..<500 {
            let ticket = ledger.accept()
            switch (index + worker) % 3 {
            case 0: ticket.presented()
            case 1: ticket.superseded()
            default: ticket.failed()
            }
          }
        }
      }
      group.addTask {
        for _ in 0..<500 {
          let counts = ledger.counts
          #expect(counts.inFlight >= 0 && counts.inFlight <= 3)
        }
      }
    }
    #expect(ledger.counts.accepted == 1500)
    #expect(ledger.counts.inFlight == 0)
  }
}
