/// Emits what an object may be told: the enum, the handler, and the decoding of one message.
struct ReceiverEmitter {
  let interface: Interface
  let perspective: Perspective
  let file: String

  private var isClient: Bool { perspective.side == .client }
  private var messages: [Message] { perspective.received(by: interface) }
  private var enumName: String { isClient ? "Event" : "Request" }
  private var handler: String { "on" + enumName }

  func emit(into text: inout SourceText) throws(ScannerError) {
    guard !messages.isEmpty else { return }
    text.line()
    text.documentation("What the \(isClient ? "compositor" : "client") may say to a `\(interface.name)`.")
    try text.block("public enum \(enumName) {") { text throws(ScannerError) in
      for (index, message) in messages.enumerated() {
        if index > 0 { text.line() }
        try emitCase(message, into: &text)
      }
    }
    text.line()
    let thread = isClient ? "the object's queue" : "the compositor's display"
    text.documentation(
      "Called with each \(enumName.lowercased()), on the thread that dispatches \(thread); dropped when the object"
        + " ends.")
    text.line("public var \(handler): ((\(enumName)) -> Void)?")
    text.line()
    text.documentation("Reads one \(enumName.lowercased()) and hands it to `\(handler)`. For the runtime.")
    let head = "public override func receive(_ opcode: UInt32, _ arguments: MessageArguments) {"
    text.block(head, emitDecoding)
    text.line()
    text.documentation("Lets go of `\(handler)`. For the runtime.")
    // The handler goes only after the property is written: what it captured may come back here on its way
    // out.
    text.line("public override func dropHandler() { withExtendedLifetime(\(handler)) { \(handler) = nil } }")
  }

  private func emitCase(_ message: Message, into text: inout SourceText) throws(ScannerError) {
    for argument in message.arguments where isClient && argument.kind == .newID && !isDescribed(argument) {
      throw ScannerError(
        file: file, line: message.line,
        problem: .unknownCreatedInterface(
          message: "\(interface.name).\(message.name)", interface: argument.interface ?? "(any)"))
    }
    text.documentation(message.summary.isEmpty ? "`\(message.name)`" : message.summary, notes(on: message))
    let values = values(of: message).map { "\($0.label): \($0.type)" }
    let payload = values.isEmpty ? "" : "(\(values.joined(separator: ", ")))"
    text.line("case \(SwiftNames.member(message.name))\(payload)")
  }

  private func notes(on message: Message) -> [String] {
    var notes: [String] = []
    let described = message.arguments.filter { !$0.summary.isEmpty }
    if !described.isEmpty {
      notes.append(described.map { "- `\(SwiftNames.bare($0.name))`: \($0.summary)" }.joined(separator: "\n"))
    }
    if message.isDestructor {
      notes.append(isClient ? "The object has ended when this arrives." : "The object ends after this.")
    }
    if message.since > 1 { notes.append("Since version \(message.since).") }
    return notes
  }

  private func emitDecoding(into text: inout SourceText) {
    let type = enumName
    text.line("let \(type.lowercased()): \(type)")
    text.line("switch opcode {")
    for (opcode, message) in messages.enumerated() {
      let values = values(of: message).map { "\($0.label): \($0.reading)" }
      let payload = values.isEmpty ? "" : "(\(values.joined(separator: ", ")))"
      text.line("case \(opcode): \(type.lowercased()) = .\(SwiftNames.member(message.name))\(payload)")
    }
    text.line("default: return")
    text.line("}")
    emitDelivery(into: &text)
  }

  /// On the client's end a destructor finds the object ended already; on the compositor's end it is still
  /// there.
  private func emitDelivery(into text: inout SourceText) {
    let endings = messages.enumerated().filter(\.element.isDestructor).map { String($0.offset) }
    let value = enumName.lowercased()
    guard !endings.isEmpty else { return text.line("\(handler)?(\(value))") }
    let condition = endings.map { "opcode == \($0)" }.joined(separator: " || ")
    if isClient {
      text.line("let handler = \(handler)")
      text.line("if \(condition) { end() }")
      text.line("handler?(\(value))")
    } else {
      text.line("\(handler)?(\(value))")
      text.line("if \(condition) { destroy() }")
    }
  }

  /// What an enum's case carries, and how each value is read.
  private func values(of message: Message) -> [(label: String, type: String, reading: String)] {
    var values: [(label: String, type: String, reading: String)] = []
    var index = 0
    for argument in message.arguments {
      let label = SwiftNames.bare(argument.name)
      if argument.kind == .newID, !isDescribed(argument) {
        // Nothing here can make such an object: its number, after interface and version if those travel too.
        if argument.interface == nil {
          values.append((label + "Interface", "String", "arguments.string(\(index))"))
          values.append((label + "Version", "UInt32", "arguments.uint(\(index + 1))"))
          index += 2
        }
        values.append((label, "UInt32", "arguments.uint(\(index))"))
      } else {
        let type = perspective.receivedType(argument, in: interface)
        values.append((label, type, read(argument, at: index)))
      }
      index += 1
    }
    return values
  }

  private func isDescribed(_ argument: Argument) -> Bool {
    argument.interface.flatMap(perspective.universe.interface) != nil
  }

  private func read(_ argument: Argument, at index: Int) -> String {
    if let enumeration = perspective.universe.enumeration(of: argument, in: interface) {
      return "\(enumeration)(rawValue: arguments.uint(\(index)))"
    }
    let type = perspective.objectType(argument)
    switch argument.kind {
    case .int: return "arguments.int(\(index))"
    case .uint: return "arguments.uint(\(index))"
    case .fixed: return "arguments.fixed(\(index))"
    case .string:
      return argument.isNullable ? "arguments.optionalString(\(index))" : "arguments.string(\(index))"
    case .object where isClient: return "arguments.object(\(index), \(type).self)"
    case .object: return "resource(arguments, \(index), \(type).self)"
    case .newID: return "adopt(arguments, \(index), \(type).self)"
    case .array: return "arguments.array(\(index))"
    case .descriptor: return "arguments.descriptor(\(index))"
    }
  }
}
