import Foundation

/// Runs a command and waits for it. Not Foundation's `Process`, which leaves 32 bytes behind at every run: a leak sanitizer
/// would blame the tests.
enum Command {
  /// The command's standard output.
  @discardableResult
  static func run(_ name: String, _ arguments: [String]) throws(TestMediaError) -> Data {
    guard let executable = find(name) else { throw .missingCommand(name) }
    let line = ([name] + arguments).joined(separator: " ")
    // Files, not pipes: a pipe's end would be inherited by a command that another thread starts meanwhile.
    let base = FileManager.default.temporaryDirectory.appendingPathComponent("kite-\(UUID().uuidString)").path
    let (output, errors) = (base + ".out", base + ".log")
    defer {
      unlink(output)
      unlink(errors)
    }

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT, 0o600)
    var words = strings([executable] + arguments)
    var environment = strings(ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" })
    defer { for string in words + environment { free(string) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, executable, &actions, nil, &words, &environment)
    guard code == 0 else {
      throw .failed(command: line, status: code, message: String(cString: strerror(code)))
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else {
      let message =
        FileManager.default.contents(atPath: errors).map { String(decoding: $0, as: UTF8.self) } ?? ""
      throw .failed(command: line, status: status, message: String(message.suffix(800)))
    }
    return FileManager.default.contents(atPath: output) ?? Data()
  }

  /// C strings to free, and the null that ends them.
  private static func strings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { strdup($0) } + [nil]
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
