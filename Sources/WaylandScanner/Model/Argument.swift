/// One value that a message carries.
public struct Argument: Equatable, Sendable {
  /// How a value travels; the raw value is the word in the XML.
  public enum Kind: String, Sendable {
    case int
    case uint
    case fixed
    case string
    case object
    case newID = "new_id"
    case array
    case descriptor = "fd"
  }

  /// The name, such as `hotspot_x`.
  public let name: String
  /// How it travels.
  public let kind: Kind
  /// The interface of an object or a new object; `nil` if any will do.
  public let interface: String?
  /// Whether an object or a string may be absent.
  public let isNullable: Bool
  /// The enum that names the values of a number: `name`, or `interface.name` for another interface's.
  public let enumeration: String?
  /// One line about it; may be empty.
  public let summary: String

  init(_ reader: ElementReader) throws(ScannerError) {
    name = try reader.required("name")
    let word = try reader.required("type")
    guard let kind = Kind(rawValue: word) else { throw reader.bad("type", word) }
    self.kind = kind
    interface = reader.optional("interface")
    isNullable = try reader.flag("allow-null")
    enumeration = reader.optional("enum")
    summary = reader.summary
  }

  var signature: String {
    let letters: String
    switch kind {
    case .int: letters = "i"
    case .uint: letters = "u"
    case .fixed: letters = "f"
    case .string: letters = "s"
    case .object: letters = "o"
    case .newID: letters = interface == nil ? "sun" : "n"
    case .array: letters = "a"
    case .descriptor: letters = "h"
    }
    return (isNullable ? "?" : "") + letters
  }
}
