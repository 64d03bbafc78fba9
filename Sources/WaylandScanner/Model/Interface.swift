/// A kind of object: what a client may ask of it and what it may tell.
public struct Interface: Equatable, Sendable {
  /// The name on the wire, such as `wl_surface`.
  public let name: String
  /// The newest version that the file describes.
  public let version: UInt32
  /// One line about what it is; may be empty.
  public let summary: String
  /// What a client may send; the position is the opcode.
  public let requests: [Message]
  /// What a compositor may send; the position is the opcode.
  public let events: [Message]
  /// Named numbers that belong to it.
  public let enums: [WireEnum]
  /// The line it starts at.
  public let line: Int

  init(_ reader: ElementReader) throws(ScannerError) {
    let file = reader.file
    name = try reader.required("name")
    version = try reader.version("version")
    summary = reader.summary
    line = reader.element.line
    requests = try Interface.messages("request", of: reader, upTo: version)
    events = try Interface.messages("event", of: reader, upTo: version)
    var enums: [WireEnum] = []
    for element in reader.element.children(named: "enum") {
      enums.append(try WireEnum(ElementReader(element: element, file: file)))
    }
    self.enums = enums
    try Interface.checkUnique(enums.map(\.name), kind: "enum", in: reader)
  }

  /// A copy without what is newer than `version`.
  func capped(at cap: UInt32) -> Interface {
    cap < version ? Interface(self, cappedAt: cap) : self
  }

  private init(_ whole: Interface, cappedAt cap: UInt32) {
    name = whole.name
    version = cap
    summary = whole.summary
    line = whole.line
    // Messages stand in the order of their age (checked when read), so the opcodes of the rest stay right.
    requests = whole.requests.filter { $0.since <= cap }
    events = whole.events.filter { $0.since <= cap }
    enums = whole.enums
  }

  private static func messages(
    _ kind: String, of reader: ElementReader, upTo version: UInt32
  ) throws(ScannerError) -> [Message] {
    var messages: [Message] = []
    var newest: UInt32 = 1
    for element in reader.element.children(named: kind) {
      let message = try Message(ElementReader(element: element, file: reader.file))
      guard message.since <= version, message.since >= newest else {
        let problem = ScannerError.Problem.wrongSince(message: message.name, since: message.since)
        throw ScannerError(file: reader.file, line: message.line, problem: problem)
      }
      newest = message.since
      messages.append(message)
    }
    try checkUnique(messages.map(\.name), kind: kind, in: reader)
    return messages
  }

  private static func checkUnique(
    _ names: [String], kind: String, in reader: ElementReader
  ) throws(ScannerError) {
    var seen: Set<String> = []
    for name in names where !seen.insert(name).inserted {
      throw reader.error(.duplicate(kind: kind, name: name))
    }
  }
}
