/// Emits a request as a method.
///
/// The rule for labels: an argument is labelled with its name, but the first one stands without a label if it
/// is an object or the only argument. So `surface.attach(buffer, x: 0, y: 0)`, `surface.setBufferScale(2)`,
/// and `surface.damageBuffer(x: 0, y: 0, width: 8, height: 8)`.
struct RequestEmitter {
  let request: Message
  let opcode: Int
  let owner: Interface
  let universe: Universe

  func emit(into text: inout SourceText) {
    text.line()
    // An object that nothing describes can't be made: there is no type to return.
    if let unknown = created?.interface, universe.interface(unknown) == nil {
      return text.line("// \(request.name) makes a \(unknown), which is described nowhere.")
    }
    text.documentation(request.summary.isEmpty ? "`\(request.name)`" : request.summary, notes)
    text.block(head, emitBody)
  }

  private var created: Argument? { request.arguments.first { $0.kind == .newID } }
  private var given: [Argument] { request.arguments.filter { $0.kind != .newID } }
  private var isGeneric: Bool { created != nil && created?.interface == nil }
  private var result: String? { created.map { $0.interface.map(SwiftNames.type) ?? "Object" } }

  private var notes: [String] {
    var notes: [String] = []
    if request.isDestructor { notes.append("The object ends with it.") }
    if request.since > 1 { notes.append("Since version \(request.since).") }
    if request.arguments.contains(where: { $0.kind == .descriptor }) {
      notes.append("The descriptor is duplicated: the caller's stays the caller's.")
    }
    let arguments = given.filter { !$0.summary.isEmpty }
    if !arguments.isEmpty {
      let lines = arguments.map {
        "- Parameter \(SwiftNames.bare($0.name)): \(SourceText.sentence($0.summary))"
      }
      notes.append(lines.joined(separator: "\n"))
    }
    return notes
  }

  private var head: String {
    let parameters = request.arguments.flatMap { argument -> [String] in
      guard argument.kind == .newID else { return [parameter(argument)] }
      return argument.interface == nil ? ["_ type: Object.Type", "version: UInt32"] : []
    }
    let generics = isGeneric ? "<Object: WaylandObject>" : ""
    let returns = result.map { " -> \($0)" } ?? ""
    let discardable = ""
    return discardable
      + "public func \(SwiftNames.member(request.name))\(generics)(\(parameters.joined(separator: ", ")))\(returns) {"
  }

  private func parameter(_ argument: Argument) -> String {
    let name = SwiftNames.member(argument.name)
    let isFirst = argument == given.first
    let unlabelled = isFirst && (argument.kind == .object || (given.count == 1 && !isGeneric))
    return (unlabelled ? "_ " : "") + "\(name): \(type(of: argument))"
  }

  private func type(of argument: Argument) -> String {
    if let enumeration = universe.enumeration(of: argument, in: owner) { return enumeration }
    switch argument.kind {
    case .int, .descriptor: return "Int32"
    case .uint: return "UInt32"
    case .fixed: return "WaylandFixed"
    case .string: return argument.isNullable ? "String?" : "String"
    case .object, .newID:
      let known = argument.interface.flatMap(universe.interface).map { SwiftNames.type($0.name) } ?? "Proxy"
      return known + (argument.isNullable ? "?" : "")
    case .array: return "[UInt8]"
    }
  }

  private func emitBody(into text: inout SourceText) {
    let objects = given.filter { $0.kind == .object }.map { ", \(SwiftNames.member($0.name))" }.joined()
    let otherwise = result.map { "return \($0).inert()" } ?? "return"
    text.line("guard admits(\(opcode), since: \(request.since)\(objects)) else { \(otherwise) }")
    let scoped = request.arguments.filter { $0.kind == .string || $0.kind == .array }
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
    let values = request.arguments.flatMap(values)
    if !values.isEmpty {
      text.line(
        "var arguments: InlineArray<\(values.count), WireArgument> = [\(values.joined(separator: ", "))]")
      call += ", &arguments"
    }
    if request.isDestructor { call += ", ending: true" }
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
    let number = universe.enumeration(of: argument, in: owner) == nil ? name : "\(name).rawValue"
    switch argument.kind {
    case .int: return number == name ? [".int(\(name))"] : [".uint(\(number))"]
    case .uint: return [".uint(\(number))"]
    case .fixed: return [".fixed(\(name))"]
    case .string, .array: return [name]
    case .object: return [".object(\(name))"]
    case .newID:
      return argument.interface == nil ? [".interfaceName(type)", ".uint(version)", ".newID"] : [".newID"]
    case .descriptor: return [".int(\(name))"]
    }
  }
}
