/// Emits what an interface's proxy may be told: the enum, the handler, and the decoding of one message.
struct EventEmitter {
  let interface: Interface
  let universe: Universe
  let file: String

  func emit(into text: inout SourceText) throws(ScannerError) {
    text.line()
    text.documentation("What the compositor may say to a `\(interface.name)`.")
    try text.block("public enum Event {") { text throws(ScannerError) in
      for (index, event) in interface.events.enumerated() {
        if index > 0 { text.line() }
        try emitCase(event, into: &text)
      }
    }
    text.line()
    text.documentation(
      "Called with each event, on the thread that dispatches the object's queue; dropped when the object ends."
    )
    text.line("public var onEvent: ((Event) -> Void)?")
    text.line()
    text.documentation("Reads one event and hands it to `onEvent`. For the runtime.")
    text.block("public override func receive(_ opcode: UInt32, _ arguments: EventArguments) {", emitDecoding)
    text.line()
    text.documentation("Lets go of `onEvent`. For the runtime.")
    text.line("public override func dropHandler() { onEvent = nil }")
  }

  private func emitCase(_ event: Message, into text: inout SourceText) throws(ScannerError) {
    for argument in event.arguments where argument.kind == .newID {
      guard argument.interface.flatMap(universe.interface) == nil else { continue }
      throw ScannerError(
        file: file, line: event.line,
        problem: .unknownCreatedInterface(
          event: "\(interface.name).\(event.name)", interface: argument.interface ?? "(any)"))
    }
    text.documentation(event.summary.isEmpty ? "`\(event.name)`" : event.summary, notes(on: event))
    let payload = event.arguments.map { "\(SwiftNames.bare($0.name)): \(type(of: $0))" }.joined(
      separator: ", ")
    text.line("case \(SwiftNames.member(event.name))" + (payload.isEmpty ? "" : "(\(payload))"))
  }

  private func notes(on event: Message) -> [String] {
    var notes: [String] = []
    let arguments = event.arguments.filter { !$0.summary.isEmpty }.map {
      "- `\(SwiftNames.bare($0.name))`: \($0.summary)"
    }
    if !arguments.isEmpty { notes.append(arguments.joined(separator: "\n")) }
    if event.isDestructor { notes.append("The object has ended when this arrives.") }
    if event.since > 1 { notes.append("Since version \(event.since).") }
    return notes
  }

  private func type(of argument: Argument) -> String {
    if let enumeration = universe.enumeration(of: argument, in: interface) { return enumeration }
    switch argument.kind {
    case .int: return "Int32"
    case .uint: return "UInt32"
    case .fixed: return "WaylandFixed"
    case .string: return argument.isNullable ? "String?" : "String"
    case .object: return objectType(argument) + "?"
    case .newID: return objectType(argument)
    case .array: return "[UInt8]"
    case .descriptor: return "ReceivedDescriptor"
    }
  }

  private func objectType(_ argument: Argument) -> String {
    argument.interface.flatMap(universe.interface).map { SwiftNames.type($0.name) } ?? "Proxy"
  }

  private func emitDecoding(into text: inout SourceText) {
    text.line("let event: Event")
    text.line("switch opcode {")
    for (opcode, event) in interface.events.enumerated() {
      let payload = event.arguments.enumerated().map { "\(SwiftNames.bare($1.name)): \(read($1, at: $0))" }
      let value =
        ".\(SwiftNames.member(event.name))" + (payload.isEmpty ? "" : "(\(payload.joined(separator: ", ")))")
      text.line("case \(opcode): event = \(value)")
    }
    text.line("default: return")
    text.line("}")
    let endings = interface.events.enumerated().filter(\.element.isDestructor).map { String($0.offset) }
    guard !endings.isEmpty else { return text.line("onEvent?(event)") }
    text.line("let handler = onEvent")
    text.line("switch opcode {")
    text.line("case \(endings.joined(separator: ", ")): end()")
    text.line("default: break")
    text.line("}")
    text.line("handler?(event)")
  }

  private func read(_ argument: Argument, at index: Int) -> String {
    if let enumeration = universe.enumeration(of: argument, in: interface) {
      return "\(enumeration)(rawValue: arguments.uint(\(index)))"
    }
    switch argument.kind {
    case .int: return "arguments.int(\(index))"
    case .uint: return "arguments.uint(\(index))"
    case .fixed: return "arguments.fixed(\(index))"
    case .string:
      return argument.isNullable ? "arguments.optionalString(\(index))" : "arguments.string(\(index))"
    case .object: return "arguments.object(\(index), \(objectType(argument)).self)"
    case .newID: return "adopt(arguments, \(index), \(objectType(argument)).self)"
    case .array: return "arguments.array(\(index))"
    case .descriptor: return "arguments.descriptor(\(index))"
    }
  }
}
