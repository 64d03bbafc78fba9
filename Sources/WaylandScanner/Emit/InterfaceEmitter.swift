/// Emits one end of a protocol: a class an interface, and for the client the tables and the enums.
struct InterfaceEmitter {
  let wire: WireProtocol
  let perspective: Perspective
  let imports: [String]

  func emit() throws(ScannerError) -> String {
    var text = SourceText()
    text.line(
      "// Emitted from the XML of the protocol \(wire.name) by wayland-scanner-swift; edits would be lost.")
    for module in imports { text.line("public import \(module)") }
    if perspective.side == .client {
      text.line()
      TableEmitter(wire: wire, universe: perspective.universe).emit(into: &text)
    }
    for (index, interface) in wire.interfaces.enumerated() where !perspective.isBuiltIn(interface) {
      text.line()
      try emit(interface, at: index, into: &text)
    }
    return text.text
  }

  private func emit(
    _ interface: Interface, at index: Int, into text: inout SourceText
  ) throws(ScannerError) {
    let summary = interface.summary.isEmpty ? "An object of `\(interface.name)`" : interface.summary
    let place = perspective.side == .client ? "The" : "The compositor's end of the"
    text.documentation(
      summary, ["\(place) interface `\(interface.name)`, up to version \(interface.version)."])
    let name = perspective.className(interface.name)
    let heritage = "\(perspective.baseClass), \(perspective.baseProtocol)"
    try text.block("public final class \(name): \(heritage) {") { text throws(ScannerError) in
      text.documentation("What libwayland knows about the interface.")
      let table = "\(TableEmitter.typeName(wire.name)).interfaces[\(index)]"
      let facts = perspective.side == .client ? table : SwiftNames.type(interface.name) + ".interface"
      text.line("public static let interface: WireInterface = \(facts)")
      if perspective.side == .client {
        for enumeration in interface.enums {
          EnumEmitter(enumeration: enumeration, owner: interface).emit(into: &text)
        }
      }
      try ReceiverEmitter(interface: interface, perspective: perspective, file: wire.file).emit(into: &text)
      for (opcode, message) in perspective.sent(by: interface).enumerated() {
        SenderEmitter(message: message, opcode: opcode, owner: interface, perspective: perspective)
          .emit(into: &text)
      }
    }
  }
}
