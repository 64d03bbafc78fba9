import Testing

@testable import KiteDesktop

/// Which service is asked, as a table.
@Suite struct InhibitMachineTests {
  typealias Event = InhibitMachine.Event
  typealias Action = InhibitMachine.Action

  // Both computed: the boxes of an indirect enum in a global look like leaks, for their pointers have tags.
  private static var token: BusValue { .uint32(7) }

  private func run(_ events: [Event], services: Int = 2) -> [Action] {
    var machine = InhibitMachine(serviceCount: services)
    return events.flatMap { machine.event($0) }
  }

  /// What happens, and all that is done then.
  private static var rows: [(what: String, events: [Event], actions: [Action])] {
    [
      ("the first one grants", [.hold, .granted(attempt: 1, token: token)], [.ask(service: 0, attempt: 1)]),
      ("held twice", [.hold, .hold], [.ask(service: 0, attempt: 1)]),
      (
        "taken back", [.hold, .granted(attempt: 1, token: token), .letGo, .letGo],
        [.ask(service: 0, attempt: 1), .undo(service: 0, token: token)]
      ),
      (
        "the second one grants", [.hold, .refused(attempt: 1), .granted(attempt: 2, token: token), .letGo],
        [.ask(service: 0, attempt: 1), .ask(service: 1, attempt: 2), .undo(service: 1, token: token)]
      ),
      (
        "nobody grants", [.hold, .refused(attempt: 1), .refused(attempt: 2), .letGo],
        [.ask(service: 0, attempt: 1), .ask(service: 1, attempt: 2)]
      ),
      (
        "nobody did; the next hold asks again",
        [.hold, .refused(attempt: 1), .refused(attempt: 2), .letGo, .hold],
        [.ask(service: 0, attempt: 1), .ask(service: 1, attempt: 2), .ask(service: 0, attempt: 3)]
      ),
      (
        "granted after the release", [.hold, .letGo, .granted(attempt: 1, token: token)],
        [.ask(service: 0, attempt: 1), .undo(service: 0, token: token)]
      ),
      (
        "refused after the release: the next is not asked", [.hold, .letGo, .refused(attempt: 1)],
        [.ask(service: 0, attempt: 1)]
      ),
      (
        "held again before the answer", [.hold, .letGo, .hold, .granted(attempt: 1, token: token)],
        [.ask(service: 0, attempt: 1)]
      ),
      (
        "refused after it was granted", [.hold, .granted(attempt: 1, token: token), .refused(attempt: 1)],
        [.ask(service: 0, attempt: 1), .undo(service: 0, token: token), .ask(service: 1, attempt: 2)]
      ),
      (
        "an answer to an old question",
        [.hold, .refused(attempt: 1), .granted(attempt: 1, token: token), .refused(attempt: 1)],
        [.ask(service: 0, attempt: 1), .ask(service: 1, attempt: 2)]
      ),
      (
        "the service vanishes", [.hold, .granted(attempt: 1, token: token), .vanished(service: 0)],
        [.ask(service: 0, attempt: 1), .ask(service: 0, attempt: 2)]
      ),
      (
        "another one vanishes", [.hold, .granted(attempt: 1, token: token), .vanished(service: 1)],
        [.ask(service: 0, attempt: 1)]
      ),
      ("vanishing without a hold", [.vanished(service: 0)], []),
      (
        "the bus dies: there is nothing to undo, and the next hold asks",
        [.hold, .granted(attempt: 1, token: token), .busLost, .letGo, .hold],
        [.ask(service: 0, attempt: 1), .ask(service: 0, attempt: 2)]
      ),
      ("the bus dies unused", [.busLost, .hold], [.ask(service: 0, attempt: 1)]),
    ]
  }

  @Test(arguments: rows.indices) func everyRowOfTheTable(_ row: Int) {
    let row = Self.rows[row]
    #expect(run(row.events) == row.actions, "\(row.what)")
  }

  @Test func aServiceThatCrashesAtEveryCallIsGivenUp() {
    var machine = InhibitMachine(serviceCount: 2)
    _ = machine.event(.hold)
    var asked: [Int] = []
    for attempt in 1...10 {
      _ = machine.event(.granted(attempt: attempt, token: Self.token))
      for case .ask(let service, _) in machine.event(.vanished(service: 0)) { asked.append(service) }
    }
    #expect(asked == [0, 0, 1])
  }

  @Test func withoutServicesNothingIsAsked() {
    #expect(run([.hold, .letGo, .hold], services: 0) == [])
  }
}
