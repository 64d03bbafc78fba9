/// Emits the facts of the wire that libwayland needs, as text that the runtime reads once.
///
/// A line an interface and a line a message, in the order of the opcodes; the names after a signature are the
/// interfaces of its objects, `.` for one that is unknown or may be any.
struct TableEmitter {
  let wire: WireProtocol
  let universe: Universe

  /// The type that holds a protocol's table.
  static func typeName(_ protocolName: String) -> String { SwiftNames.type(protocolName) + "Tables" }

  func emit(into text: inout SourceText) {
    let others = dependencies.map { "\(TableEmitter.typeName($0)).interfaces" }
    text.documentation(
      "The interfaces of `\(wire.name)` as libwayland knows them: allocated once, never changed.")
    text.block("public enum \(TableEmitter.typeName(wire.name)) {") { text in
      text.documentation("The interfaces, in the order of the protocol file.")
      text.block("public static let interfaces = InterfaceTable(", closing: ")") { text in
        text.line("\"\"\"")
        for interface in wire.interfaces { emit(interface, into: &text) }
        text.line("\"\"\"" + (others.isEmpty ? "" : ", others: [\(others.joined(separator: ", "))]"))
      }
    }
  }

  private func emit(_ interface: Interface, into text: inout SourceText) {
    text.line("interface \(interface.name) \(interface.version)")
    for request in interface.requests { text.line("request " + facts(of: request)) }
    for event in interface.events { text.line("event " + facts(of: event)) }
  }

  private func facts(of message: Message) -> String {
    let objects = message.arguments.filter { $0.kind == .object || $0.kind == .newID }
    let types = objects.map { $0.interface.flatMap { universe.interface($0)?.name } ?? "." }
    return ([message.name, message.signature.isEmpty ? "." : message.signature] + types).joined(
      separator: " ")
  }

  /// The protocols whose tables this one refers to.
  private var dependencies: [String] {
    var homes: Set<String> = []
    for interface in wire.interfaces {
      for message in interface.requests + interface.events {
        for argument in message.arguments {
          guard let home = argument.interface.flatMap(universe.home(of:)), home != wire.name else { continue }
          homes.insert(home)
        }
      }
    }
    return homes.sorted()
  }
}
