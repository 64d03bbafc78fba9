import Glibc
import Kite

/// Where the log goes: standard error, or the end of a file. Lines come whole, from whichever thread has something to say.
struct LogFile: Sendable {
  private let descriptor: Int32
  private let start = MonotonicTime.now

  /// The file at `path`, made where there is none.
  init(appendingTo path: String) throws(OptionsError) {
    descriptor = path.withCString { Glibc.open($0, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644) }
    guard descriptor >= 0 else { throw .noLogFile(path, reason: String(cString: strerror(errno))) }
  }

  /// Writes one line, with the seconds since the beginning before it.
  func write(_ entry: LogEntry) {
    let milliseconds = (MonotonicTime.now - start) / 1_000_000
    let fraction = String(milliseconds % 1000)
    let time = "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
    let line =
      "\(time) \(entry.level) \(entry.subsystem.rawValue): \(entry.subject): \(entry.message)\n"
    _ = line.withCString { Glibc.write(descriptor, $0, strlen($0)) }
  }
}

extension LogSubsystem {
  /// What the user did, and what came of it.
  static let app = LogSubsystem(rawValue: "kite-wl")
}
