import Testing

/// The comparison finds a wrong fact, whatever the age of the official file.
@Suite struct ComparisonTests {
  /// One way of getting a fact wrong in wl_surface, and a word that the report must have.
  struct Mistake: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let word: String
    let make: @Sendable (inout InterfaceFacts) -> Void

    init(_ name: String, word: String, _ make: @escaping @Sendable (inout InterfaceFacts) -> Void) {
      testDescription = name
      self.word = word
      self.make = make
    }
  }

  static let mistakes = [
    Mistake("two opcodes swapped", word: "request 1 attach: name is damage") { $0.requests.swapAt(1, 2) },
    Mistake("two event opcodes swapped", word: "event 0 enter: name is leave") { $0.events.swapAt(0, 1) },
    Mistake("a request left out", word: "request 3") { $0.requests.remove(at: 3) },
    Mistake("a request invented", word: "wink") { $0.requests.append(MessageFacts(name: "wink")) },
    Mistake("an argument's type", word: "argument 1 x: type is uint, officially int") {
      $0.requests[1].arguments[1].type = "uint"
    },
    Mistake("an argument's interface", word: "wl_region") {
      $0.requests[1].arguments[0].interface = "wl_region"
    },
    Mistake("an argument left out", word: "number of arguments is 2") {
      $0.requests[1].arguments.removeLast()
    },
    Mistake("null forbidden", word: "allow-null") { $0.requests[1].arguments[0].allowsNull = false },
    Mistake("a since", word: "since is 3, officially 2") { $0.requests[7].since = 3 },
    Mistake("a destructor forgotten", word: "destructor is false") { $0.requests[0].isDestructor = false },
    Mistake("an enum reference", word: "wl_output.mode") {
      $0.requests[7].arguments[0].enumeration = "wl_output.mode"
    },
    Mistake("an entry's value", word: "invalid_size: value is 9, officially 2") {
      $0.enums[0].entries[2].value = 9
    },
    Mistake("an entry's name", word: "invalid_size: ours lacks it") {
      $0.enums[0].entries[2].name = "too_small"
    },
    Mistake("an enum left out", word: "enum error: ours lacks it") { $0.enums.removeAll() },
  ]

  private static func core() throws -> ProtocolFacts { try ProtocolFiles.ours("wayland.xml").facts }

  private static func wrong(_ mistake: Mistake) throws -> ProtocolFacts {
    var facts = try core()
    let index = try #require(facts.interfaces.firstIndex { $0.name == "wl_surface" })
    mistake.make(&facts.interfaces[index])
    return facts
  }

  @Test(arguments: mistakes)
  func `a mistake shows beside an older official file`(mistake: Mistake) throws {
    let official = try Self.core().older("wl_surface", at: 5)
    let differences = FactsComparison.differences(ours: try Self.wrong(mistake), official: official)
    #expect(differences.contains { $0.contains(mistake.word) }, "\(differences)")
  }

  @Test(arguments: mistakes)
  func `a mistake shows beside the same official file`(mistake: Mistake) throws {
    let differences = FactsComparison.differences(ours: try Self.wrong(mistake), official: try Self.core())
    let word = mistake.word.replacing(": ours lacks it", with: "")
    #expect(differences.contains { $0.contains(word) } || differences.contains { $0.contains("in order") })
    #expect(!differences.isEmpty)
  }

  @Test func `annotations count beside the same official file`() throws {
    let official = try Self.core()
    for change: (inout ProtocolFacts) throws -> Void in [
      { try $0.change("wl_callback") { $0.isFrozen = false } },
      { try $0.change("wl_seat") { $0.enums[0].isBitfield = false } },
      { try $0.change("wl_callback") { $0.events[0].isDestructor = false } },
      { try $0.change("wl_surface") { $0.requests[7].arguments[0].enumeration = nil } },
      { $0.interfaces.swapAt(0, 1) },
    ] {
      var ours = official
      try change(&ours)
      #expect(!FactsComparison.differences(ours: ours, official: official).isEmpty)
    }
  }

  @Test func `an older file is a beginning of ours, a newer one goes on`() throws {
    let ours = try Self.core()
    let older = ours.older("wl_surface", at: 4)
    #expect(FactsComparison.age(of: older, beside: ours) == .older)
    #expect(FactsComparison.differences(ours: ours, official: older).isEmpty)
    #expect(FactsComparison.age(of: ours, beside: older) == .newer)
    #expect(FactsComparison.differences(ours: older, official: ours).isEmpty)
  }

  @Test func `a message may not be slipped in with an old since`() throws {
    var newer = try Self.core()
    let older = newer.older("wl_surface", at: 5)
    try newer.change("wl_surface") { $0.events[2].since = 5 }
    #expect(!FactsComparison.differences(ours: newer, official: older).isEmpty)
    #expect(!FactsComparison.differences(ours: older, official: newer).isEmpty)
  }

  @Test func `versions that cross are reported`() throws {
    let ours = try Self.core().older("wl_surface", at: 5)
    let official = try Self.core().older("wl_seat", at: 5)
    #expect(FactsComparison.age(of: official, beside: ours) == nil)
    #expect(FactsComparison.differences(ours: ours, official: official).count == 1)
  }
}

extension ProtocolFacts {
  fileprivate mutating func change(_ interface: String, _ change: (inout InterfaceFacts) -> Void) throws {
    let index = try #require(interfaces.firstIndex { $0.name == interface })
    change(&interfaces[index])
  }
}
