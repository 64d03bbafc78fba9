/// Swift text that grows line by line and knows how deep it is indented.
struct SourceText {
  private(set) var text = ""
  private var depth = 0

  mutating func line(_ content: String = "") {
    if !content.isEmpty { text += String(repeating: "  ", count: depth) + content }
    text += "\n"
  }

  /// A line that opens a block, the block's lines, and the line that closes it.
  mutating func block<E: Error>(
    _ head: String, closing: String = "}", _ body: (inout SourceText) throws(E) -> Void
  ) throws(E) {
    line(head)
    depth += 1
    try body(&self)
    depth -= 1
    line(closing)
  }

  /// A doc comment: the summary as a sentence, then further paragraphs, each after an empty line.
  mutating func documentation(_ summary: String, _ paragraphs: [String] = []) {
    for (index, paragraph) in ([SourceText.sentence(summary)] + paragraphs).filter({ !$0.isEmpty })
      .enumerated()
    {
      if index > 0 { line("///") }
      for part in paragraph.split(separator: "\n") { documentationLine(String(part)) }
    }
  }

  /// One line of a doc comment, broken where it would be longer than 110 columns.
  private mutating func documentationLine(_ content: String) {
    let width = 110 - 2 * depth - 4
    let hanging = content.hasPrefix("- ") ? "  " : ""
    var current = ""
    for word in content.split(separator: " ") {
      if !current.isEmpty, current.count + 1 + word.count > width {
        line("/// " + current)
        current = hanging + word
      } else {
        current += current.isEmpty ? String(word) : " " + word
      }
    }
    line("/// " + current)
  }

  static func sentence(_ summary: String) -> String {
    guard let first = summary.first else { return "" }
    let ended = summary.last.map { ".!?".contains($0) } ?? false
    return first.uppercased() + summary.dropFirst() + (ended ? "" : ".")
  }
}
