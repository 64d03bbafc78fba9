/// Named numbers of an interface.
public struct WireEnum: Equatable, Sendable {
  /// One of the numbers.
  public struct Entry: Equatable, Sendable {
    /// Its name, such as `argb8888`, or `90`.
    public let name: String
    /// Its number on the wire.
    public let value: UInt32
    /// The interface version that brought it.
    public let since: UInt32
    /// One line about it; may be empty.
    public let summary: String
  }

  /// The name, such as `transform`.
  public let name: String
  /// Whether the numbers are bits that combine.
  public let isBitfield: Bool
  /// The interface version that brought it.
  public let since: UInt32
  /// One line about it; may be empty.
  public let summary: String
  /// The numbers, in the order of the file.
  public let entries: [Entry]

  init(_ reader: ElementReader) throws(ScannerError) {
    name = try reader.required("name")
    isBitfield = try reader.flag("bitfield")
    since = try reader.version("since")
    summary = reader.summary
    var entries: [Entry] = []
    var names: Set<String> = []
    for element in reader.element.children(named: "entry") {
      let entry = ElementReader(element: element, file: reader.file)
      let name = try entry.required("name")
      guard names.insert(name).inserted else { throw entry.error(.duplicate(kind: "entry", name: name)) }
      entries.append(
        Entry(
          name: name, value: try entry.number("value"), since: try entry.version("since"),
          summary: entry.summary))
    }
    self.entries = entries
  }
}
