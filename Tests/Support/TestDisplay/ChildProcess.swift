public import Foundation
import Glibc
import Synchronization

/// A command that runs beside the test, in a process group of its own. It ends with this object at the latest.
///
/// Waiting never blocks a thread: other tests go on meanwhile.
public final class ChildProcess: Sendable {
  /// How a process ended.
  public enum Ending: Hashable, Sendable {
    /// By itself, with this exit code.
    case exited(Int32)
    /// By a signal: a crash, or because it was killed.
    case signalled(Int32)

    /// From what `waitpid` stored.
    init(status: Int32) {
      self = status & 0x7f == 0 ? .exited((status >> 8) & 0xff) : .signalled(status & 0x7f)
    }
  }

  /// The process's number, and its group's.
  public let id: pid_t
  private let ending = Mutex<Ending?>(nil)
  /// The end of a pipe to its standard input; -1 once it is closed.
  private let input: Mutex<Int32>
  private let files: OutputFiles

  /// Starts `arguments[0]`, looked up in `PATH`, with exactly these variables.
  ///
  /// - Parameter keepsInputOpen: Whether its standard input is a pipe that stays open until `closeInput()` or until the
  ///   test's process ends, however that ends; else it is empty.
  public init(
    _ arguments: [String], environment: [String: String], keepsInputOpen: Bool = false
  ) throws(TestDisplayError) {
    files = OutputFiles()
    // A pair of sockets is closed on exec from the start, so that no other child keeps this one's input open.
    var pipe: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    if keepsInputOpen, socketpair(AF_UNIX, kind, 0, &pipe) != 0 { throw .system("socketpair", errno: errno) }
    defer { if pipe[0] >= 0 { close(pipe[0]) } }
    input = Mutex(pipe[1])

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if keepsInputOpen {
      posix_spawn_file_actions_adddup2(&actions, pipe[0], 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_addopen(&actions, 1, files.output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, files.errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // No signal is blocked or ignored only because it is so here.
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    posix_spawnattr_setflags(&attributes, Int16(flags))

    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] =
      environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for word in words + variables { free(word) } }
    var started: pid_t = 0
    let code = posix_spawnp(&started, arguments.first ?? "", &actions, &attributes, &words, &variables)
    guard code == 0 else {
      if pipe[1] >= 0 { close(pipe[1]) }
      throw .system("starting \(arguments.first ?? "nothing")", errno: code)
    }
    id = started
  }

  deinit {
    closeInput()
    if poll() == nil {
      Glibc.kill(-id, SIGKILL)
      var status: Int32 = 0
      while waitpid(id, &status, 0) < 0, errno == EINTR {}
    }
    files.remove()
  }

  /// How it ended; nil while it runs.
  public func poll() -> Ending? {
    ending.withLock { ending in
      if ending == nil {
        var status: Int32 = 0
        if waitpid(id, &status, WNOHANG) == id { ending = Ending(status: status) }
      }
      return ending
    }
  }

  /// Waits for the end; nil when it still runs after `limit`.
  public func wait(atMost limit: Duration) async -> Ending? {
    let deadline = ContinuousClock.now + limit
    while true {
      if let ending = poll() { return ending }
      guard ContinuousClock.now < deadline else { return nil }
      try? await Task.sleep(for: .milliseconds(10))
    }
  }

  /// Sends a signal to the process alone; nothing if it has ended.
  public func send(_ signal: Int32) {
    if poll() == nil { Glibc.kill(id, signal) }
  }

  /// Kills it and what it started in its group, if it still runs.
  public func kill() async {
    guard poll() == nil else { return }
    Glibc.kill(-id, SIGKILL)
    _ = await wait(atMost: .seconds(10))
  }

  /// Ends its standard input.
  public func closeInput() {
    input.withLock { descriptor in
      if descriptor >= 0 { close(descriptor) }
      descriptor = -1
    }
  }

  /// What it has written to standard output so far.
  public var output: String { OutputFiles.text(files.output) }

  /// What it has written to standard error so far.
  public var errors: String { OutputFiles.text(files.errors) }
}

/// Where a child's words go: files, so that it never waits for a reader.
private struct OutputFiles: Sendable {
  let output: String
  let errors: String

  init() {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(
      "kite-child-\(UUID().uuidString)"
    ).path
    output = path + ".out"
    errors = path + ".err"
  }

  static func text(_ path: String) -> String {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  func remove() {
    unlink(output)
    unlink(errors)
  }
}
