import Foundation
import Testing

/// Our files state what the official ones do.
@Suite struct OfficialFactsTests {
  @Test func `all files are found`() {
    #expect(ProtocolFiles.names.count >= 11)
  }

  @Test(arguments: ProtocolFiles.names)
  func `the facts agree with every official file at hand`(name: String) throws {
    let ours = try ProtocolFiles.ours(name)
    let official = try ProtocolFiles.official(of: ours)
    if official.isEmpty { try skip(name) }
    for file in official {
      let differences = FactsComparison.differences(ours: ours.facts, official: file.facts)
      #expect(
        differences.isEmpty, "\(name) beside \(file.place.path):\n\(differences.joined(separator: "\n"))")
    }
  }

  /// Holds the facts where no official file is at hand.
  @Test(arguments: ProtocolFiles.names)
  func `the facts are those that were compared`(name: String) throws {
    let digest = try ProtocolFiles.ours(name).facts.digest
    #expect(
      CheckedFacts.digests[name] == digest,
      """
      The facts of \(name) changed. Once they agree with the official file (its folder in \
      KITE_OFFICIAL_PROTOCOLS), CheckedFacts.swift should say: "\(name)": "\(digest)"
      """)
  }
}
