/// Compares our facts with official ones of any release.
///
/// Of the same versions, everything must be identical. Of different ones, the newer file extends the older:
/// messages keep their places and may only be added at the end with a later `since`; enum entries keep their
/// numbers; what binds nothing on the wire (`enum`, `bitfield`, `deprecated-since`, `frozen`, `since` of enums
/// and entries, `destructor` of events) may be added, never changed.
struct FactsComparison {
  /// How old the official facts are beside ours.
  enum Age { case older, same, newer }

  /// One sentence for each disagreement; none if all is well.
  static func differences(ours: ProtocolFacts, official: ProtocolFacts) -> [String] {
    guard let age = age(of: official, beside: ours) else {
      return ["\(ours.name): some interfaces are newer in our file and others in the official one"]
    }
    var comparison = FactsComparison(age: age)
    comparison.compare(ours, official)
    return comparison.found
  }

  static func age(of official: ProtocolFacts, beside ours: ProtocolFacts) -> Age? {
    let oursByName = ours.interfaces.reduce(into: [:]) { $0[$1.name] = $1.version }
    let officialByName = official.interfaces.reduce(into: [:]) { $0[$1.name] = $1.version }
    let names = Set(oursByName.keys).union(officialByName.keys)
    let isOlder = names.contains { (officialByName[$0] ?? 0) < (oursByName[$0] ?? 0) }
    let isNewer = names.contains { (officialByName[$0] ?? 0) > (oursByName[$0] ?? 0) }
    return isOlder && isNewer ? nil : isOlder ? .older : isNewer ? .newer : .same
  }

  private let age: Age
  private var found: [String] = []

  private init(age: Age) { self.age = age }

  private mutating func compare(_ ours: ProtocolFacts, _ official: ProtocolFacts) {
    if age == .same {
      equal(ours.name, "order of interfaces", ours.interfaces.map(\.name), official.interfaces.map(\.name))
    }
    for theirs in official.interfaces {
      // The ages hold that only a newer file has an interface more.
      if let mine = ours.interfaces.first(where: { $0.name == theirs.name }) { compare(mine, theirs) }
    }
  }

  private mutating func compare(_ ours: InterfaceFacts, _ official: InterfaceFacts) {
    annotation(ours.name, "frozen", ours.isFrozen ? true : nil, official.isFrozen ? true : nil)
    let known = min(ours.version, official.version)
    compare("\(ours.name) request", ours.requests, official.requests, known: known)
    compare("\(ours.name) event", ours.events, official.events, known: known)
    compareNamed("\(ours.name) enum", ours.enums, official.enums, name: \.name) { $0.compare($1, $2, $3) }
  }

  // MARK: Messages

  private mutating func compare(
    _ place: String, _ ours: [MessageFacts], _ official: [MessageFacts], known version: Int
  ) {
    for (opcode, (mine, theirs)) in zip(ours, official).enumerated() {
      compare("\(place) \(opcode) \(theirs.name)", mine, theirs, isEvent: place.hasSuffix("event"))
    }
    let shared = min(ours.count, official.count)
    for extra in ours.dropFirst(shared) where age != .older || extra.since <= version {
      found.append("\(place) \(extra.name) (since \(extra.since)): only ours has it")
    }
    for extra in official.dropFirst(shared) where age != .newer || extra.since <= version {
      found.append("\(place) \(extra.name) (since \(extra.since)): ours lacks it")
    }
  }

  private mutating func compare(
    _ place: String, _ ours: MessageFacts, _ official: MessageFacts, isEvent: Bool
  ) {
    equal(place, "name", ours.name, official.name)
    equal(place, "since", ours.since, official.since)
    annotation(place, "deprecated-since", ours.deprecatedSince, official.deprecatedSince)
    if isEvent {
      annotation(place, "destructor", ours.isDestructor ? true : nil, official.isDestructor ? true : nil)
    } else {
      equal(place, "destructor", ours.isDestructor, official.isDestructor)
    }
    equal(place, "number of arguments", ours.arguments.count, official.arguments.count)
    for (index, (mine, theirs)) in zip(ours.arguments, official.arguments).enumerated() {
      let place = "\(place), argument \(index) \(theirs.name)"
      equal(place, "name", mine.name, theirs.name)
      equal(place, "type", mine.type, theirs.type)
      equal(place, "interface", mine.interface, theirs.interface)
      equal(place, "allow-null", mine.allowsNull, theirs.allowsNull)
      annotation(place, "enum", mine.enumeration, theirs.enumeration)
    }
  }

  // MARK: Enums

  private mutating func compare(_ place: String, _ ours: EnumFacts, _ official: EnumFacts) {
    annotation(place, "since", ours.since, official.since)
    annotation(place, "deprecated-since", ours.deprecatedSince, official.deprecatedSince)
    annotation(place, "bitfield", ours.isBitfield ? true : nil, official.isBitfield ? true : nil)
    compareNamed("\(place) entry", ours.entries, official.entries, name: \.name) {
      comparison, place, mine, theirs in
      comparison.equal(place, "value", mine.value, theirs.value)
      comparison.annotation(place, "since", mine.since, theirs.since)
      comparison.annotation(place, "deprecated-since", mine.deprecatedSince, theirs.deprecatedSince)
    }
  }

  /// For what has a name and no place on the wire.
  private mutating func compareNamed<Item>(
    _ place: String, _ ours: [Item], _ official: [Item], name: (Item) -> String,
    each compare: (inout FactsComparison, String, Item, Item) -> Void
  ) {
    let mine = ours.map(name)
    let theirs = official.map(name)
    if age == .same { equal(place, "names in order", mine, theirs) }
    for extra in mine where !theirs.contains(extra) && age == .newer {
      found.append("\(place) \(extra): only ours has it")
    }
    for extra in theirs where !mine.contains(extra) && age == .older {
      found.append("\(place) \(extra): ours lacks it")
    }
    for item in ours {
      guard let index = theirs.firstIndex(of: name(item)) else { continue }
      compare(&self, "\(place) \(name(item))", item, official[index])
    }
  }

  // MARK: Single facts

  private mutating func equal<Fact: Equatable>(
    _ place: String, _ fact: String, _ ours: Fact, _ official: Fact
  ) {
    if ours != official { found.append("\(place): \(fact) is \(ours), officially \(official)") }
  }

  private mutating func annotation<Fact: Equatable>(
    _ place: String, _ fact: String, _ ours: Fact?, _ official: Fact?
  ) {
    switch (ours, official) {
    case (nil, .some) where age == .newer, (.some, nil) where age == .older: break
    default: equal(place, fact, ours, official)
    }
  }
}
