import Foundation
import Testing
import WaylandScanner

/// The scanner, from which the code is made, reads the same facts as the reader of these tests.
@Suite struct ScannerAgreementTests {
  @Test(arguments: ProtocolFiles.names)
  func `the scanner reads what the tests compare`(name: String) throws {
    let ours = try ProtocolFiles.ours(name)
    let scanned = try WireProtocol(contentsOf: ours.place.path)
    #expect(scanned.name == ours.facts.name)
    #expect(scanned.interfaces.map(\.name) == ours.facts.interfaces.map(\.name))
    for (read, expected) in zip(scanned.interfaces, ours.facts.interfaces) {
      #expect(Int(read.version) == expected.version)
      #expect(read.requests.map(facts) == expected.requests.map(plain))
      #expect(read.events.map(facts) == expected.events.map(plain))
      #expect(read.enums.map(facts) == expected.enums.map(plain))
      #expect(!read.summary.isEmpty)
    }
  }

  private func facts(_ message: Message) -> MessageFacts {
    MessageFacts(
      name: message.name, since: Int(message.since), isDestructor: message.isDestructor,
      arguments: message.arguments.map {
        ArgumentFacts(
          name: $0.name, type: $0.kind.rawValue, interface: $0.interface, allowsNull: $0.isNullable,
          enumeration: $0.enumeration)
      })
  }

  private func facts(_ enumeration: WireEnum) -> EnumFacts {
    EnumFacts(
      name: enumeration.name, since: Int(enumeration.since), isBitfield: enumeration.isBitfield,
      entries: enumeration.entries.map { EntryFacts(name: $0.name, value: $0.value, since: Int($0.since)) })
  }

  // The scanner has no use for deprecations, and takes an enum that says nothing for one of version 1.

  private func plain(_ message: MessageFacts) -> MessageFacts {
    var message = message
    message.deprecatedSince = nil
    return message
  }

  private func plain(_ enumeration: EnumFacts) -> EnumFacts {
    var enumeration = enumeration
    enumeration.since = enumeration.since ?? 1
    enumeration.deprecatedSince = nil
    for index in enumeration.entries.indices {
      enumeration.entries[index].since = enumeration.entries[index].since ?? 1
      enumeration.entries[index].deprecatedSince = nil
    }
    return enumeration
  }
}
