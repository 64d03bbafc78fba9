import KiteSystem
import Synchronization

/// How much a line of the log matters.
public enum LogLevel: Int, Comparable, Hashable, Sendable, CaseIterable {
  /// For who looks for a fault in Kite or in a file.
  case debug
  /// What happens in the ordinary course: opened, ended.
  case info
  /// Something is wrong, and playing goes on: a damaged packet, a server that broke off.
  case warning
  /// Playing ended by it.
  case error

  public static func < (a: LogLevel, b: LogLevel) -> Bool { a.rawValue < b.rawValue }
}

/// The part of Kite that says something. Open: new ones may come.
public struct LogSubsystem: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  /// Wraps a name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Opening, playing, ending.
  public static let engine = LogSubsystem(rawValue: "engine")
  /// Reading: files, servers, containers.
  public static let source = LogSubsystem(rawValue: "source")
  /// Decoding of video and sound.
  public static let decoder = LogSubsystem(rawValue: "decoder")
  /// The media library's own words.
  public static let library = LogSubsystem(rawValue: "library")
}

/// One line of the log.
public struct LogEntry: Sendable {
  /// How much it matters.
  public let level: LogLevel
  /// Who says it.
  public let subsystem: LogSubsystem
  /// What it is about: a path, an address, a codec.
  public let subject: String
  /// What happened, without the subject, in one line.
  public let message: String
}

/// Where everything that Kite has to say goes: to one sink, of the app's choice. Without one nothing is said, and nothing
/// is made up to be said.
///
/// ```swift
/// KiteLog.send(from: .warning) { entry in print("\(entry.subject): \(entry.message)") }
/// ```
///
/// One for the process, since the libraries below have only one. Nothing is ever logged on a sound server's data thread.
public enum KiteLog {
  public typealias Sink = @Sendable (LogEntry) -> Void

  private static let none = Int.max
  private static let lowest = Atomic<Int>(none)
  private static let sink = Locked<Sink?>(nil)

  /// Sends every line of `level` or above to `sink`, from now on; in place of the sink before.
  ///
  /// It is called on whichever thread has something to say, several at once, with no lock of Kite's held: it is to be
  /// quick, and must not call back into the player.
  public static func send(from level: LogLevel = .info, to sink: @escaping Sink) {
    self.sink.withLock { $0 = sink }
    lowest.store(level.rawValue, ordering: .releasing)
  }

  /// Says nothing any more. A line that is under way on another thread may still come.
  public static func stop() {
    lowest.store(none, ordering: .releasing)
    sink.withLock { $0 = nil }
  }

  /// Whether lines of `level` go anywhere.
  public static func isSent(_ level: LogLevel) -> Bool { level.rawValue >= lowest.load(ordering: .acquiring) }

  /// Says something, if somebody listens; the message is only made then. For adapters too.
  public static func log(
    _ level: LogLevel, _ subsystem: LogSubsystem, _ subject: @autoclosure () -> String,
    _ message: @autoclosure () -> String
  ) {
    guard isSent(level), let sink = sink.withLock({ $0 }) else { return }
    sink(LogEntry(level: level, subsystem: subsystem, subject: subject(), message: message()))
  }

  /// Says what an error says.
  static func log(_ level: LogLevel, _ subsystem: LogSubsystem, _ error: MediaError) {
    log(
      level, subsystem, error.subject,
      error.advice.isEmpty ? error.reason : "\(error.reason). \(error.advice)")
  }
}
