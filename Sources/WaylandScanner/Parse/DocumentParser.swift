import Foundation
import FoundationXML

/// Turns XML bytes into a tree of elements that remember their lines.
final class DocumentParser: NSObject, XMLParserDelegate {
  private let file: String
  private var open: [Element] = []
  private var root: Element?

  private init(file: String) { self.file = file }

  /// Parses `data`; `file` is used in errors only.
  static func parse(_ data: Data, file: String) throws(ScannerError) -> Element {
    let delegate = DocumentParser(file: file)
    let parser = XMLParser(data: data)
    parser.delegate = delegate
    guard parser.parse(), let root = delegate.root else {
      let reason = parser.parserError.map { String(describing: $0) } ?? "no element in it"
      throw ScannerError(file: file, line: parser.lineNumber, problem: .malformed(reason))
    }
    // The parser takes a document that ends too early for a whole one.
    if let unclosed = delegate.open.last {
      throw ScannerError(
        file: file, line: unclosed.line, problem: .malformed("<\(unclosed.name)> is never closed"))
    }
    return root
  }

  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String] = [:]
  ) {
    let element = Element(name: elementName, attributes: attributes, line: parser.lineNumber)
    if let parent = open.last { parent.append(element) } else { root = element }
    open.append(element)
  }

  func parser(
    _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName: String?
  ) {
    open.removeLast()
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { open.last?.text += string }
}
