/// What is wrong with a protocol file, and where.
///
/// `description` has the form compilers use, `file:line: error: text`, so that build logs and editors can
/// point there.
public struct ScannerError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What kind of thing is wrong.
  public enum Problem: Equatable, Sendable {
    /// The file can't be opened or read.
    case unreadable(String)
    /// The XML itself is broken.
    case malformed(String)
    /// The root of the document is something else than `<protocol>`.
    case notAProtocol(root: String)
    /// An element lacks an attribute that it can't do without.
    case missingAttribute(element: String, attribute: String)
    /// An attribute has a value that means nothing here.
    case badValue(element: String, attribute: String, value: String)
    /// Two things of the same kind have the same name.
    case duplicate(kind: String, name: String)
    /// A message that is newer than its interface, or than the message after it.
    case wrongSince(message: String, since: UInt32)
    /// A message that arrives creates an object of an interface that none of the given files describes.
    case unknownCreatedInterface(message: String, interface: String)
    /// A cap names an interface that none of the given files describes.
    case unknownCap(interface: String)
  }

  /// The path of the protocol file as it was given.
  public let file: String
  /// The line in it, counted from 1; 0 when the problem is the whole file.
  public let line: Int
  /// What is wrong.
  public let problem: Problem

  /// Describes a problem at a place.
  public init(file: String, line: Int, problem: Problem) {
    self.file = file
    self.line = line
    self.problem = problem
  }

  public var description: String {
    let text: String
    switch problem {
    case .unreadable(let reason): text = "can't read the file: \(reason)"
    case .malformed(let reason): text = "not well-formed XML: \(reason)"
    case .notAProtocol(let root): text = "expected <protocol> at the root, found <\(root)>"
    case .missingAttribute(let element, let attribute):
      text = "<\(element)> without the attribute '\(attribute)'"
    case .badValue(let element, let attribute, let value):
      text = "<\(element)> has \(attribute)=\"\(value)\", which means nothing here"
    case .duplicate(let kind, let name): text = "second \(kind) named '\(name)'"
    case .wrongSince(let message, let since):
      text = "'\(message)' is since version \(since), newer than its interface or than the message after it"
    case .unknownCreatedInterface(let message, let interface):
      text =
        "'\(message)' creates a '\(interface)', which no given protocol file describes; add that file"
    case .unknownCap(let interface):
      text = "a version cap names '\(interface)', which no given file describes"
    }
    return line > 0 ? "\(file):\(line): error: \(text)" : "\(file): error: \(text)"
  }
}
