/// What a protocol file says about the wire, without its words.
struct ProtocolFacts: Equatable, Sendable {
  var name: String
  var interfaces: [InterfaceFacts]
}

struct InterfaceFacts: Equatable, Sendable {
  var name: String
  var version: Int
  var isFrozen = false
  var requests: [MessageFacts] = []
  var events: [MessageFacts] = []
  var enums: [EnumFacts] = []
}

struct MessageFacts: Equatable, Sendable {
  var name: String
  var since = 1
  var deprecatedSince: Int?
  var isDestructor = false
  var arguments: [ArgumentFacts] = []
}

struct ArgumentFacts: Equatable, Sendable {
  var name: String
  var type: String
  var interface: String?
  var allowsNull = false
  var enumeration: String?
}

struct EnumFacts: Equatable, Sendable {
  var name: String
  var since: Int?
  var deprecatedSince: Int?
  var isBitfield = false
  var entries: [EntryFacts] = []
}

struct EntryFacts: Equatable, Sendable {
  var name: String
  var value: UInt32
  var since: Int?
  var deprecatedSince: Int?
}

extension ProtocolFacts {
  /// A number that changes whenever a fact does: FNV-1a over the facts in order.
  var digest: String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in lines().joined(separator: "\n").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return String(hash, radix: 16)
  }

  /// The facts as an older release would state them: `interface` at `version`, without what came later.
  func older(_ interface: String, at version: Int) -> ProtocolFacts {
    var copy = self
    for index in copy.interfaces.indices where copy.interfaces[index].name == interface {
      copy.interfaces[index].version = version
      copy.interfaces[index].requests.removeAll { $0.since > version }
      copy.interfaces[index].events.removeAll { $0.since > version }
    }
    return copy
  }
}
