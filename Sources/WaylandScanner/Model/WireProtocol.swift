import Foundation

/// One protocol file: a set of interfaces that belong together.
public struct WireProtocol: Equatable, Sendable {
  /// The protocol's name, such as `xdg_shell`.
  public let name: String
  /// The path it was read from, as it was given.
  public let file: String
  /// One line about what it is for; may be empty.
  public let summary: String
  /// Its interfaces, in the order of the file.
  public let interfaces: [Interface]

  /// Reads and checks a protocol file.
  public init(contentsOf path: String) throws(ScannerError) {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw ScannerError(file: path, line: 0, problem: .unreadable(error.localizedDescription))
    }
    try self.init(data: data, file: path)
  }

  /// Reads and checks a protocol file that is in memory; `file` is what errors call it.
  public init(text: String, file: String) throws(ScannerError) {
    try self.init(data: Data(text.utf8), file: file)
  }

  /// The same protocol with other interfaces.
  init(_ whole: WireProtocol, interfaces: [Interface]) {
    name = whole.name
    file = whole.file
    summary = whole.summary
    self.interfaces = interfaces
  }

  private init(data: Data, file: String) throws(ScannerError) {
    let root = try DocumentParser.parse(data, file: file)
    let reader = ElementReader(element: root, file: file)
    guard root.name == "protocol" else { throw reader.error(.notAProtocol(root: root.name)) }
    self.file = file
    name = try reader.required("name")
    summary = reader.summary
    var interfaces: [Interface] = []
    var names: Set<String> = []
    for element in root.children(named: "interface") {
      let interface = try Interface(ElementReader(element: element, file: file))
      guard names.insert(interface.name).inserted else {
        let problem = ScannerError.Problem.duplicate(kind: "interface", name: interface.name)
        throw ScannerError(file: file, line: interface.line, problem: problem)
      }
      interfaces.append(interface)
    }
    self.interfaces = interfaces
  }
}
