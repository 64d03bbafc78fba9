import Foundation
import Testing

/// The sentences in our files are there, and are ours.
@Suite struct SentenceTests {
  private static let grammar: [String: Set<String>] = [
    "protocol": ["name"],
    "description": ["summary"],
    "interface": ["name", "version", "frozen"],
    "request": ["name", "type", "since", "deprecated-since"],
    "event": ["name", "type", "since", "deprecated-since"],
    "enum": ["name", "since", "deprecated-since", "bitfield"],
    "entry": ["name", "value", "since", "deprecated-since", "summary"],
    "arg": ["name", "type", "interface", "allow-null", "enum", "summary"],
  ]

  @Test(arguments: ProtocolFiles.names)
  func `files hold facts and one-line summaries, nothing else`(name: String) throws {
    for element in try ProtocolFiles.ours(name).tree.all {
      let known = try #require(Self.grammar[element.name], "<\(element.name)> at line \(element.line)")
      let unknown = Set(element.attributes.keys).subtracting(known).sorted()
      #expect(unknown.isEmpty, "line \(element.line)")
      #expect(!element.text.contains { !$0.isWhitespace }, "text at line \(element.line)")
    }
  }

  @Test(arguments: ProtocolFiles.names)
  func `every element has a summary`(name: String) throws {
    for element in try ProtocolFiles.ours(name).tree.all {
      let summary = element.summary ?? ""
      #expect(summary.contains { !$0.isWhitespace }, "<\(element.name)> at line \(element.line)")
      #expect(!summary.contains("\n"), "<\(element.name)> at line \(element.line)")
    }
  }

  @Test(arguments: ProtocolFiles.names)
  func `files name the release that their facts are from`(name: String) throws {
    let text = try String(contentsOf: ProtocolFiles.ours(name).place, encoding: .utf8)
    #expect(text.prefix(400).contains(/as published in wayland(-protocols)? 1\.\d+:/))
    #expect(text.prefix(400).contains("Every sentence is our own."))
  }

  @Test(arguments: ProtocolFiles.names)
  func `no official sentence of four words survives`(name: String) throws {
    let ours = try ProtocolFiles.ours(name)
    let official = Set(
      try ProtocolFiles.official(of: ours).flatMap(\.tree.all)
        .flatMap { [$0.attributes["summary"] ?? ""] + Self.sentences(in: $0.text) }
        .map(Self.words).filter { $0.count >= 4 })
    if official.isEmpty { try skip(name) }
    for element in ours.tree.all {
      guard let summary = element.attributes["summary"] else { continue }
      let words = Self.words(summary)
      let runs = words.indices.flatMap { from in (from...words.count).map { Array(words[from..<$0]) } }
      #expect(official.isDisjoint(with: runs), "line \(element.line)")
    }
  }

  private static func sentences(in text: String) -> [String] {
    text.split(separator: /[.!?:;]\s+|\n\s*\n/).map(String.init)
  }

  private static func words(_ text: String) -> [Substring] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }
  }
}
