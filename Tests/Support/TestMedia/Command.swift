import Foundation

/// Runs a command and waits for it.
enum Command {
  /// The command's standard output.
  @discardableResult
  static func run(_ name: String, _ arguments: [String]) throws(TestMediaError) -> Data {
    guard let executable = find(name) else { throw .missingCommand(name) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    // A file: two pipes read one after the other could block the command.
    let errors = FileManager.default.temporaryDirectory.appendingPathComponent(
      "kite-\(UUID().uuidString).log")
    _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
    defer { try? FileManager.default.removeItem(at: errors) }
    process.standardError = FileHandle(forWritingAtPath: errors.path) ?? FileHandle.nullDevice
    do {
      try process.run()
    } catch {
      throw .failed(command: name, status: -1, message: "\(error)")
    }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      let message = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
      let line = ([name] + arguments).joined(separator: " ")
      throw .failed(command: line, status: process.terminationStatus, message: String(message.suffix(800)))
    }
    return data
  }

  /// The path of a command of `PATH`.
  static func find(_ name: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    for folder in path.split(separator: ":") {
      let candidate = "\(folder)/\(name)"
      if FileManager.default.isExecutableFile(atPath: candidate) { return candidate }
    }
    return nil
  }
}
