import Foundation
import Testing

/// The documentation's program is one that is built: the target `first-view`, which the tests also run.
@Suite struct WalkThroughTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  @Test func theWalkThroughsCodeIsTheProgramThatIsBuilt() throws {
    let page = try String(
      contentsOf: Self.root.appending(path: "Sources/Kite/Kite.docc/FirstView.md"), encoding: .utf8)
    let program = try String(
      contentsOf: Self.root.appending(path: "examples/first-view/main.swift"), encoding: .utf8)
    let blocks = page.components(separatedBy: "```swift\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
    #expect(blocks == [program])
    let lines = program.split(separator: "\n").filter { !$0.hasPrefix("///") }
    #expect(lines.count <= 30, "\(lines.count) lines are more than a newcomer was promised")
  }
}
