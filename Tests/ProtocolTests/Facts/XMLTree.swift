import Foundation
import FoundationXML

/// One element of an XML file.
struct XMLElementTree: Sendable {
  var name: String
  var attributes: [String: String]
  var line: Int
  var text = ""
  var children: [XMLElementTree] = []

  /// Itself and everything below it, in the order of the file.
  var all: [XMLElementTree] { [self] + children.flatMap(\.all) }

  func children(named name: String) -> [XMLElementTree] { children.filter { $0.name == name } }

  /// The one-line summary: an attribute of its own, or that of its description.
  var summary: String? {
    attributes["summary"] ?? children(named: "description").first?.attributes["summary"]
  }
}

/// A file that can't be read as what it should be.
struct XMLFailure: Error, CustomStringConvertible {
  var file: String
  var line: Int
  var reason: String
  var description: String { "\(file):\(line): \(reason)" }
}

/// Reads XML apart from WaylandScanner's parser, so that a mistake in one does not hide in the other.
final class XMLTreeReader: NSObject, XMLParserDelegate {
  private var open: [XMLElementTree] = []
  private var root: XMLElementTree?

  static func read(_ file: URL) throws -> XMLElementTree {
    let reader = XMLTreeReader()
    let parser = XMLParser(data: try Data(contentsOf: file))
    parser.delegate = reader
    guard parser.parse(), let root = reader.root else {
      let reason = parser.parserError.map { String(describing: $0) } ?? "no element in it"
      throw XMLFailure(file: file.path, line: parser.lineNumber, reason: reason)
    }
    return root
  }

  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    open.append(XMLElementTree(name: elementName, attributes: attributes, line: parser.lineNumber))
  }

  func parser(
    _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName: String?
  ) {
    let done = open.removeLast()
    if open.isEmpty { root = done } else { open[open.count - 1].children.append(done) }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    if !open.isEmpty { open[open.count - 1].text += string }
  }
}
