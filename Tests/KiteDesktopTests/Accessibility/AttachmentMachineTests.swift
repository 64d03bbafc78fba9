import Testing

@testable import KiteDesktop

/// When assistive technology is attached, as a table.
@Suite struct AttachmentMachineTests {
  typealias Event = AttachmentMachine.Event
  typealias Action = AttachmentMachine.Action

  /// What happens, and all that is done then.
  private static let rows: [(what: String, events: [Event], actions: [Action])] = [
    (
      "it is enabled", [.enabled(true), .address("a", attempt: 1), .embedded(attempt: 1), .enabled(true)],
      [.askForAddress(attempt: 1), .connect("a", attempt: 1)]
    ),
    ("it is not", [.enabled(false)], []),
    (
      "it is disabled again", [.enabled(true), .address("a", attempt: 1), .enabled(false), .enabled(false)],
      [.askForAddress(attempt: 1), .connect("a", attempt: 1), .disconnect]
    ),
    (
      "disabled before the address came", [.enabled(true), .enabled(false), .address("a", attempt: 1)],
      [.askForAddress(attempt: 1)]
    ),
    (
      "an old address after a new question",
      [
        .enabled(true), .enabled(false), .enabled(true), .address("old", attempt: 1),
        .address("new", attempt: 2),
      ],
      [.askForAddress(attempt: 1), .askForAddress(attempt: 2), .connect("new", attempt: 2)]
    ),
    (
      "no address; asked again when it is enabled anew",
      [.enabled(true), .address(nil, attempt: 1), .enabled(true), .address("", attempt: 2)],
      [.askForAddress(attempt: 1), .askForAddress(attempt: 2)]
    ),
    (
      "the bus is started anew", [.enabled(true), .address("a", attempt: 1), .lost(attempt: 1)],
      [.askForAddress(attempt: 1), .connect("a", attempt: 1), .askForAddress(attempt: 2)]
    ),
    (
      "an old bus goes", [.enabled(true), .address("a", attempt: 1), .lost(attempt: 7)],
      [.askForAddress(attempt: 1), .connect("a", attempt: 1)]
    ),
    ("a loss without a bus", [.lost(attempt: 0), .embedded(attempt: 0)], []),
  ]

  @Test(arguments: rows.indices) func everyRowOfTheTable(_ row: Int) {
    let row = Self.rows[row]
    var machine = AttachmentMachine()
    let actions = row.events.flatMap { machine.event($0) }
    #expect(actions == row.actions, "\(row.what)")
  }

  @Test func aBusThatIsGoneEveryTimeIsGivenUp() {
    var machine = AttachmentMachine()
    var actions = machine.event(.enabled(true))
    for attempt in 1...10 {
      actions += machine.event(.address("a", attempt: attempt))
      actions += machine.event(.lost(attempt: attempt))
    }
    #expect(actions.count == 6, "\(actions)")
    let again = machine.event(.enabled(true))
    #expect(again.count == 1)
  }
}
