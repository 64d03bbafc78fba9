import Foundation

/// Programs that the tests run beside themselves.
enum Program {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The probe stands beside the program that runs the tests.
  static var probe: String {
    let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(filePath: tests).deletingLastPathComponent().appending(path: "toolkit-probe").path
  }

  static func isInstalled(_ name: String) -> Bool {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
    }
  }

  /// What a command prints, or what went wrong. Runs in the project's folder, at most 60 seconds.
  static func run(_ command: [String]) throws -> (status: Int32, output: Data) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["timeout", "60"] + command
    process.currentDirectoryURL = root
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, output)
  }

  /// A program that did not end well, as one under a sanitizer that found something.
  struct Failed: Error {
    let status: Int32
    let output: String
  }

  /// The lines that the probe prints.
  static func probe(_ words: [String], in compositor: String? = nil) throws -> [String] {
    let command = (compositor.map { [".setup/with-compositor", $0] } ?? []) + [probe] + words
    let result = try run(command)
    let output = String(decoding: result.output, as: UTF8.self)
    guard result.status == 0 else { throw Failed(status: result.status, output: output) }
    return output.split(separator: "\n").map(String.init)
  }
}
