/// Emits a message that is sent as a method: a request under its own name, an event as `send…`.
///
/// The rule for labels: an argument is labelled with its name, but the first one stands without a label if it
/// is an object or the only argument. So `surface.attach(buffer, x: 0, y: 0)`, `surface.setBufferScale(2)`,
/// and `surface.damageBuffer(x: 0, y: 0, width: 8, height: 8)`.
struct SenderEmitter {
  let message: Message
  let opcode: Int
  let owner: Interface
  let perspective: Perspective

  func emit(into text: inout SourceText) {
    text.line()
    // An object that nothing describes can't be made: there is no type to return.
    if let unknown = created?.interface, perspective.universe.interface(unknown) == nil {
      return text.line("// \(message.name) makes a \(unknown), which is described nowhere.")
    }
    text.documentation(message.summary.isEmpty ? "`\(message.name)`" : message.summary, notes)
    text.block(head, emitBody)
  }

  private var isClient: Bool { perspective.side == .client }
  /// What the message brings into being and the method returns; a compositor makes its new objects before.
  private var created: Argument? { isClient ? message.arguments.first { $0.kind == .newID } : nil }
  private var given: [Argument] { message.arguments.filter { !isClient || $0.kind != .newID } }
  private var isGeneric: Bool { created != nil && created?.interface == nil }
  private var result: String? { created.map { $0.interface.map(perspective.className) ?? "Object" } }

  private var notes: [String] {
    var notes: [String] = []
    if message.isDestructor { notes.append("The object ends with it.") }
    if message.since > 1 {
      notes.append(
        "Since version \(message.since)" + (isClient ? "." : "; not sent to objects of an older one."))
    }
    if message.arguments.contains(where: { $0.kind == .descriptor }) {
      notes.append("The descriptor is duplicated: the caller's stays the caller's.")
    }
    let described = given.filter { !$0.summary.isEmpty }
    if !described.isEmpty {
      let lines = described.map {
        "- Parameter \(SwiftNames.bare($0.name)): \(SourceText.sentence($0.summary))"
      }
      notes.append(lines.joined(separator: "\n"))
    }
    return notes
  }

  private var head: String {
    let parameters = message.arguments.flatMap { argument -> [String] in
      guard isClient, argument.kind == .newID else { return [parameter(argument)] }
      return argument.interface == nil ? ["_ type: Object.Type", "version: UInt32"] : []
    }
    let name = isClient ? SwiftNames.member(message.name) : "send" + SwiftNames.type(message.name)
    let generics = isGeneric ? "<Object: WaylandObject>" : ""
    let returns = result.map { " -> \($0)" } ?? ""
    return "public func \(name)\(generics)(\(parameters.joined(separator: ", ")))\(returns) {"
  }

  private func parameter(_ argument: Argument) -> String {
    let isObject = argument.kind == .object || argument.kind == .newID
    let unlabelled = argument == given.first && (isObject || (given.count == 1 && !isGeneric))
    let name = SwiftNames.member(argument.name)
    return (unlabelled ? "_ " : "") + "\(name): \(perspective.sentType(argument, in: owner))"
  }

  private func emitBody(into text: inout SourceText) {
    let objects = given.filter { $0.kind == .object || $0.kind == .newID }
    let names = objects.map { ", \(SwiftNames.member($0.name))" }.joined()
    let otherwise = result.map { "return \($0).inert()" } ?? "return"
    text.line("guard admits(\(opcode), since: \(message.since)\(names)) else { \(otherwise) }")
    let scoped = message.arguments.filter { $0.kind == .string || $0.kind == .array }
    emitScopes(scoped[...], into: &text)
  }

  /// Strings and arrays live on the stack as long as the closure around the sending runs.
  private func emitScopes(_ scoped: ArraySlice<Argument>, into text: inout SourceText) {
    guard let argument = scoped.first else { return emitSending(into: &text) }
    let name = SwiftNames.member(argument.name)
    let prefix = result == nil ? "" : "return "
    text.block("\(prefix)WireArgument.with(\(name)) { \(name) in") { text in
      emitScopes(scoped.dropFirst(), into: &text)
    }
  }

  private func emitSending(into text: inout SourceText) {
    var call = "\(opcode)"
    let values = message.arguments.flatMap(values)
    if !values.isEmpty {
      let list = values.joined(separator: ", ")
      text.line("var arguments: InlineArray<\(values.count), WireArgument> = [\(list)]")
      call += ", &arguments"
    }
    if message.isDestructor { call += ", ending: true" }
    if isGeneric {
      text.line("return create(\(call), type, version: version)")
    } else if let result {
      text.line("return create(\(call), \(result).self)")
    } else {
      text.line("send(\(call))")
    }
  }

  private func values(_ argument: Argument) -> [String] {
    let name = SwiftNames.member(argument.name)
    let isEnum = perspective.universe.enumeration(of: argument, in: owner) != nil
    switch argument.kind {
    case .int: return [isEnum ? ".uint(\(name).rawValue)" : ".int(\(name))"]
    case .uint: return [isEnum ? ".uint(\(name).rawValue)" : ".uint(\(name))"]
    case .fixed: return [".fixed(\(name))"]
    case .string, .array: return [name]
    case .object: return [".object(\(name))"]
    case .newID where !isClient: return [".object(\(name))"]
    case .newID:
      return argument.interface == nil ? [".interfaceName(type)", ".uint(version)", ".newID"] : [".newID"]
    case .descriptor: return [".int(\(name))"]
    }
  }
}
