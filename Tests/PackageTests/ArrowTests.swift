import Foundation
import Testing

/// The arrows of the architecture, held against what SwiftPM says of the package.
@Suite struct ArrowTests {
  /// Which targets of the package each library and program may build on.
  private static let allowed: [String: Set<String>] = [
    "CLinux": [], "CWayland": [], "CWaylandServer": [], "CFFmpeg": [], "CConvert": [],
    "CSystemd": [], "CAss": [], "CPipeWire": [], "CWaylandCursor": [], "CXkbcommon": [],
    // For the examples that embed a view, where GTK and SDL are installed.
    "CGtk4": [], "CSDL2": [],
    // For bench-conversion alone.
    "CZimg": [], "ConversionReference": ["KiteCore"],
    "KiteSystem": ["CLinux"],
    "WaylandScanner": [],
    "wayland-scanner-swift": ["WaylandScanner"],
    "WaylandScannerPlugin": ["wayland-scanner-swift"],
    "Wayland": ["CWayland", "KiteSystem", "WaylandScannerPlugin"],
    "WaylandToolkit": ["Wayland", "KiteSystem", "CLinux", "CWaylandCursor", "CXkbcommon"],
    "KiteCore": ["KiteSystem"],
    "KiteViews": ["KiteCore", "WaylandToolkit", "Wayland", "KiteSystem"],
    "KiteFFmpeg": ["KiteCore", "KiteSystem", "CFFmpeg", "CLinux"],
    "KiteOutput": ["KiteCore", "KiteViews", "WaylandToolkit", "Wayland", "KiteSystem", "CConvert"],
    "KiteAudio": ["KiteCore", "KiteSystem", "CPipeWire", "CLinux"],
    "KiteSubtitles": ["KiteCore", "CAss"],
    "KiteDesktop": ["KiteCore", "KiteViews", "KiteSystem", "CSystemd"],
    "Kite": [
      "KiteCore", "KiteViews", "KiteFFmpeg", "KiteOutput", "KiteAudio", "KiteSubtitles", "KiteDesktop",
      "WaylandToolkit", "Wayland", "KiteSystem",
    ],
  ]

  private struct Description: Decodable {
    struct Target: Decodable {
      let name: String
      let type: String
      let path: String
      let targetDependencies: [String]?

      enum CodingKeys: String, CodingKey {
        case name, type, path
        case targetDependencies = "target_dependencies"
      }
    }
    let targets: [Target]
  }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// What `swift package describe` says; in a scratch folder of its own, since the tests' one may be locked.
  private func describe() throws -> Description {
    let scratch = FileManager.default.temporaryDirectory.appending(path: "kite-describe-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: scratch) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "swift", "package", "--package-path", Self.root.path, "--scratch-path", scratch.path, "describe",
      "--type",
      "json",
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return try JSONDecoder().decode(Description.self, from: data)
  }

  @Test func everyArrowIsOneThatTheArchitectureAllows() throws {
    let targets = try describe().targets.filter { $0.type != "test" && !$0.path.hasPrefix("Tests/") }
    #expect(targets.count >= Self.allowed.count - 2)
    for target in targets {
      let dependencies = Set(target.targetDependencies ?? [])
      if target.path.hasPrefix("examples/") {
        #expect(dependencies.isSubset(of: Self.allowed.keys), "\(target.name) depends on \(dependencies)")
        continue
      }
      let allowed = try #require(Self.allowed[target.name], "\(target.name) is not in the table of arrows")
      let extra = dependencies.subtracting(allowed).sorted()
      #expect(extra.isEmpty, "\(target.name) must not depend on \(extra)")
    }
  }

  @Test func aModuleAndATypeNeverShareAName() throws {
    let modules = Set(Self.allowed.keys)
    let declaration = /\b(?:struct|class|enum|actor|protocol|typealias)\s+([A-Za-z_]+)/
    let sources = FileManager.default.enumerator(
      at: Self.root.appending(path: "Sources"), includingPropertiesForKeys: nil)
    var files = 0
    while let file = sources?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      files += 1
      let isPlugin = file.path.contains("/WaylandScannerPlugin/")
      for match in try String(contentsOf: file, encoding: .utf8).matches(of: declaration) {
        let name = String(match.1)
        // A plugin is a program of its own that nothing imports.
        #expect(isPlugin || !modules.contains(name), "\(name) in \(file.lastPathComponent)")
      }
    }
    #expect(files > 0)
  }
}
