import Foundation
import Testing

/// A protocol file, read.
struct ProtocolFile: Sendable, CustomStringConvertible {
  let place: URL
  let tree: XMLElementTree
  let facts: ProtocolFacts

  init(_ place: URL) throws {
    self.place = place
    tree = try XMLTreeReader.read(place)
    facts = try FactsReader(file: place.path).facts(tree)
  }

  var description: String { place.lastPathComponent }
}

enum ProtocolFiles {
  static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Names of what lies in `Protocols/`.
  static let names: [String] = {
    let folder = package.appending(path: "Protocols").path
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".xml") }.sorted()
  }()

  static func ours(_ name: String) throws -> ProtocolFile {
    try ProtocolFile(package.appending(path: "Protocols").appending(path: name))
  }

  /// Where official files are looked for: the folders of `KITE_OFFICIAL_PROTOCOLS` (a list parted by colons), a folder
  /// `shared/reference` beside the checkout, and where wayland and wayland-protocols install theirs.
  static let officialFolders: [URL] = {
    let wanted = ProcessInfo.processInfo.environment["KITE_OFFICIAL_PROTOCOLS"] ?? ""
    return wanted.split(separator: ":").map { URL(filePath: String($0)) }
      + [package.deletingLastPathComponent().appending(path: "shared/reference")]
      + ["/usr/share", "/usr/local/share"].flatMap { share in
        ["wayland", "wayland-protocols"].map { URL(filePath: share).appending(path: $0) }
      }
  }()

  /// The official files of the protocol that `ours` describes, wherever one was found. An unstable protocol that was
  /// declared stable keeps its interfaces and loses the word in its name.
  static func official(of ours: ProtocolFile) throws -> [ProtocolFile] {
    let name = ours.facts.name
    return try officialPlaces.filter { $0.name.replacing("_unstable", with: "") == name }
      .map { try ProtocolFile($0.place) }
  }

  private static let officialPlaces: [(name: String, place: URL)] = officialFolders.flatMap { folder in
    let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return files.filter { $0.hasSuffix(".xml") }.sorted().compactMap { file -> (name: String, place: URL)? in
      let place = folder.appending(path: file)
      let text = (try? Data(contentsOf: place)).map { String(decoding: $0.prefix(1000), as: UTF8.self) }
      guard let match = text?.firstMatch(of: /<protocol name="(\w+)"/) else { return nil }
      return (String(match.1), place)
    }
  }
}

/// Ends a case for which there is nothing to compare with, and says so: a cancelled case prints nothing by itself.
func skip(_ name: String) throws -> Never {
  let reason =
    "\(name) not compared: no official XML of it found; KITE_OFFICIAL_PROTOCOLS names folders to look in"
  print("skipped: \(reason)")
  try Test.cancel("\(reason)")
}
