/// A request or an event.
public struct Message: Equatable, Sendable {
  /// The name on the wire, such as `damage_buffer`.
  public let name: String
  /// The interface version that brought it.
  public let since: UInt32
  /// Whether the object ends with it.
  public let isDestructor: Bool
  /// One line about what it does; may be empty.
  public let summary: String
  /// What it carries, in the order of the wire.
  public let arguments: [Argument]
  /// The line it starts at.
  public let line: Int

  init(_ reader: ElementReader) throws(ScannerError) {
    name = try reader.required("name")
    since = try reader.version("since")
    summary = reader.summary
    line = reader.element.line
    switch reader.optional("type") {
    case nil: isDestructor = false
    case "destructor": isDestructor = true
    case .some(let value): throw reader.bad("type", value)
    }
    var arguments: [Argument] = []
    for element in reader.element.children(named: "arg") {
      arguments.append(try Argument(ElementReader(element: element, file: reader.file)))
    }
    self.arguments = arguments
  }

  /// The signature in libwayland's notation: the version if it isn't 1, then a letter an argument, `?` before
  /// what may be null. A `new_id` of no fixed interface travels as name, version and id.
  public var signature: String {
    (since > 1 ? String(since) : "") + arguments.map(\.signature).joined()
  }
}
