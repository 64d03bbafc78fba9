/// Emits the client's side of a protocol: tables, enums, and a proxy class an interface.
struct ClientEmitter {
  let wire: WireProtocol
  let universe: Universe
  let imports: [String]

  func emit() throws(ScannerError) -> String {
    var text = SourceText()
    text.line("// Emitted from \(wire.name)'s XML by wayland-scanner-swift; edits would be lost.")
    for module in imports { text.line("public import \(module)") }
    text.line()
    TableEmitter(wire: wire, universe: universe).emit(into: &text)
    for (index, interface) in wire.interfaces.enumerated() {
      text.line()
      try emit(interface, at: index, into: &text)
    }
    return text.text
  }

  private func emit(_ interface: Interface, at index: Int, into text: inout SourceText) throws(ScannerError) {
    let summary = interface.summary.isEmpty ? "An object of `\(interface.name)`" : interface.summary
    text.documentation(summary, ["The interface `\(interface.name)`, up to version \(interface.version)."])
    try text.block("public final class \(SwiftNames.type(interface.name)): Proxy, WaylandObject {") {
      text throws(ScannerError) in
      text.documentation("What libwayland knows about the interface.")
      text.line(
        "public static let interface: WireInterface = \(TableEmitter.typeName(wire.name)).interfaces[\(index)]"
      )
      for enumeration in interface.enums {
        EnumEmitter(enumeration: enumeration, owner: interface).emit(into: &text)
      }
      if !interface.events.isEmpty {
        try EventEmitter(interface: interface, universe: universe, file: wire.file).emit(into: &text)
      }
      for (opcode, request) in interface.requests.enumerated() {
        RequestEmitter(request: request, opcode: opcode, owner: interface, universe: universe).emit(
          into: &text)
      }
    }
  }
}
