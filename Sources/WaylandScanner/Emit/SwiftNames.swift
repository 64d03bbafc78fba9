/// How names of the wire become names in Swift.
///
/// - A type is the whole name in upper camel case: `wl_surface` is `WlSurface`.
/// - A member keeps its words in lower camel case: `damage_buffer` is `damageBuffer`.
/// - A name that starts with a digit gets its enum's name in front: `90` of `transform` is `transform90`.
/// - A word that Swift reserves stands in backticks; a type that can't be named so at all gets another word.
enum SwiftNames {
  static func type(_ wire: String) -> String {
    let name = words(wire).map(capitalized).joined()
    // `X.Type`, `X.Protocol` and `X.Self` mean something else in Swift, backticks or not.
    switch name {
    case "Type": return "Kind"
    case "Protocol", "Self": return name + "Value"
    default: return name
    }
  }

  static func member(_ wire: String) -> String { escaped(bare(wire)) }

  static func entry(_ wire: String, of enumeration: String) -> String {
    wire.first?.isNumber == true ? bare(enumeration) + capitalized(bare(wire)) : member(wire)
  }

  /// A member's name where backticks are not needed, such as an argument's label.
  static func bare(_ wire: String) -> String {
    let words = words(wire)
    return (words.first ?? "").lowercased() + words.dropFirst().map(capitalized).joined()
  }

  private static func words(_ wire: String) -> [String] {
    wire.split(whereSeparator: { $0 == "_" || $0 == "-" || $0 == "." || $0 == " " }).map(String.init)
  }

  private static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

  private static func escaped(_ name: String) -> String { reserved.contains(name) ? "`\(name)`" : name }

  private static let reserved: Set<String> = [
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
    "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if",
    "import",
    "in", "init", "inout", "internal", "is", "let", "nil", "operator", "private", "protocol", "public",
    "repeat",
    "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws",
    "true",
    "try", "typealias", "var", "where", "while",
  ]
}
