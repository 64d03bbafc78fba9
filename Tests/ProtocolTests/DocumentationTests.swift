import Foundation
import Testing

/// `docs/protocols.md` tells of every file and its version.
@Suite struct DocumentationTests {
  @Test(arguments: ProtocolFiles.names)
  func `the table has each file with the version that it states`(name: String) throws {
    let page = ProtocolFiles.package.appending(path: "docs/protocols.md")
    let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
    let row = try #require(lines.first { $0.hasPrefix("| `\(name)` ") }, "no row in the table")
    let cells = row.split(separator: "|")
    try #require(cells.count > 1)
    let stated = try ProtocolFiles.ours(name).facts.interfaces.map { "`\($0.name)` \($0.version)" }
    let told = cells[1].matches(of: /`\w+` \d+/).map { String($0.output) }
    #expect(!told.isEmpty)
    #expect(Set(told).subtracting(stated).sorted().isEmpty)
  }
}
