import Foundation

/// Takes the facts out of a protocol file.
struct FactsReader {
  let file: String

  static func read(_ file: URL) throws -> ProtocolFacts {
    try FactsReader(file: file.path).facts(XMLTreeReader.read(file))
  }

  func facts(_ root: XMLElementTree) throws -> ProtocolFacts {
    guard root.name == "protocol" else { throw failure(root, "the root is <\(root.name)>, not <protocol>") }
    return ProtocolFacts(
      name: try text("name", root), interfaces: try root.children(named: "interface").map(interface))
  }

  private func interface(_ element: XMLElementTree) throws -> InterfaceFacts {
    InterfaceFacts(
      name: try text("name", element), version: try number("version", element),
      isFrozen: try flag("frozen", element), requests: try element.children(named: "request").map(message),
      events: try element.children(named: "event").map(message),
      enums: try element.children(named: "enum").map(enumeration))
  }

  private func message(_ element: XMLElementTree) throws -> MessageFacts {
    let type = element.attributes["type"]
    guard type == nil || type == "destructor" else { throw failure(element, "unknown type \(type ?? "")") }
    return MessageFacts(
      name: try text("name", element), since: try optional("since", element) ?? 1,
      deprecatedSince: try optional("deprecated-since", element), isDestructor: type != nil,
      arguments: try element.children(named: "arg").map(argument))
  }

  private func argument(_ element: XMLElementTree) throws -> ArgumentFacts {
    ArgumentFacts(
      name: try text("name", element), type: try text("type", element),
      interface: element.attributes["interface"], allowsNull: try flag("allow-null", element),
      enumeration: element.attributes["enum"])
  }

  private func enumeration(_ element: XMLElementTree) throws -> EnumFacts {
    EnumFacts(
      name: try text("name", element), since: try optional("since", element),
      deprecatedSince: try optional("deprecated-since", element), isBitfield: try flag("bitfield", element),
      entries: try element.children(named: "entry").map(entry))
  }

  private func entry(_ element: XMLElementTree) throws -> EntryFacts {
    let text = try text("value", element)
    let value = text.hasPrefix("0x") ? UInt32(text.dropFirst(2), radix: 16) : UInt32(text)
    guard let value else { throw failure(element, "the value \(text) is no 32-bit number") }
    return EntryFacts(
      name: try self.text("name", element), value: value, since: try optional("since", element),
      deprecatedSince: try optional("deprecated-since", element))
  }

  private func text(_ attribute: String, _ element: XMLElementTree) throws -> String {
    guard let value = element.attributes[attribute], !value.isEmpty else {
      throw failure(element, "<\(element.name)> has no \(attribute)")
    }
    return value
  }

  private func number(_ attribute: String, _ element: XMLElementTree) throws -> Int {
    let text = try text(attribute, element)
    guard let value = Int(text), value > 0 else {
      throw failure(element, "\(attribute) \(text) is no version")
    }
    return value
  }

  private func optional(_ attribute: String, _ element: XMLElementTree) throws -> Int? {
    element.attributes[attribute] == nil ? nil : try number(attribute, element)
  }

  private func flag(_ attribute: String, _ element: XMLElementTree) throws -> Bool {
    switch element.attributes[attribute] {
    case nil, "false": false
    case "true": true
    case .some(let value): throw failure(element, "\(attribute) is \(value), neither true nor false")
    }
  }

  private func failure(_ element: XMLElementTree, _ reason: String) -> XMLFailure {
    XMLFailure(file: file, line: element.line, reason: reason)
  }
}
