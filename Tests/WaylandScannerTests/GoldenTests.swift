import Foundation
import Testing
import WaylandScanner

/// The emitted text, compared line by line with files that a person has read.
///
/// After a change on purpose: `KITE_UPDATE_GOLDEN=1 swift test --filter GoldenTests`, then read the
/// difference.
@Suite struct GoldenTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")

  @Test(
    arguments: [
      ("client", ProtocolScanner.Side.client, [], [:]),
      ("server", .server, ["Wayland"], [:]),
      ("client-capped", .client, ["Wayland"], ["sample_manager_v1": 1]),
    ] as [(String, ProtocolScanner.Side, [String], [String: UInt32])])
  func theEmittedTextIsTheOneOnFile(
    name: String, side: ProtocolScanner.Side, imports: [String], caps: [String: UInt32]
  ) throws {
    let input = GoldenTests.folder.appending(path: "sample.xml")
    let wire = try WireProtocol(contentsOf: input.path)
    let text = try #require(
      try ProtocolScanner([wire], caps: caps).emit("sample_v1", side: side, imports: imports))
    let golden = GoldenTests.folder.appending(path: "sample.\(name).golden")
    if ProcessInfo.processInfo.environment["KITE_UPDATE_GOLDEN"] != nil {
      try text.write(to: golden, atomically: true, encoding: .utf8)
    }
    let expected = try String(contentsOf: golden, encoding: .utf8)
    let emitted = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (number, lines) in zip(emitted, expected.split(separator: "\n", omittingEmptySubsequences: false))
      .enumerated()
    where lines.0 != lines.1 {
      Issue.record(
        "line \(number + 1) of \(golden.lastPathComponent): expected “\(lines.1)”, emitted “\(lines.0)”")
      return
    }
    #expect(text.count == expected.count)
  }
}
