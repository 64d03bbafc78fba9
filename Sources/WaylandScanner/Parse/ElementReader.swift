/// Reads typed attributes of one element and knows how to complain about them.
struct ElementReader {
  let element: Element
  let file: String

  func required(_ attribute: String) throws(ScannerError) -> String {
    guard let value = element.attributes[attribute], !value.isEmpty else {
      throw error(.missingAttribute(element: element.name, attribute: attribute))
    }
    return value
  }

  func optional(_ attribute: String) -> String? { element.attributes[attribute] }

  /// A boolean attribute that is false when it is absent.
  func flag(_ attribute: String) throws(ScannerError) -> Bool {
    switch element.attributes[attribute] {
    case nil, "false": false
    case "true": true
    case .some(let value): throw bad(attribute, value)
    }
  }

  /// A version number, 1 when it is absent.
  func version(_ attribute: String) throws(ScannerError) -> UInt32 {
    guard let text = element.attributes[attribute] else { return 1 }
    guard let value = UInt32(text), value >= 1 else { throw bad(attribute, text) }
    return value
  }

  /// A number of the wire, decimal or after `0x`.
  func number(_ attribute: String) throws(ScannerError) -> UInt32 {
    let text = try required(attribute)
    let value = text.hasPrefix("0x") ? UInt32(text.dropFirst(2), radix: 16) : UInt32(text)
    guard let value else { throw bad(attribute, text) }
    return value
  }

  /// The one-line summary: an attribute of the element itself, or of its `<description>`.
  var summary: String {
    let own = element.attributes["summary"]
    let described = element.children(named: "description").first?.attributes["summary"]
    return (own ?? described ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  func bad(_ attribute: String, _ value: String) -> ScannerError {
    error(.badValue(element: element.name, attribute: attribute, value: value))
  }

  func error(_ problem: ScannerError.Problem) -> ScannerError {
    ScannerError(file: file, line: element.line, problem: problem)
  }
}
