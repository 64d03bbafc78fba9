import CFFmpeg
import CLinux
import KiteCore
import KiteSystem

/// Takes FFmpeg's log away from standard error: it goes to `KiteLog`, one level lower than FFmpeg has it, since what it
/// calls an error is mostly damage that playing goes on with. What it says while somebody listens is kept.
///
/// The log often knows the one word that the error code lacks ("moov atom not found"). Only the listening thread's own
/// lines are kept, so that two openings at once don't mix.
enum LogCollector {
  /// The last error line of every thread that listens.
  private static let listeners = Locked<[Int32: String]>([:])

  private static let installed: Void = av_log_set_callback { @Sendable source, level, format, arguments in
    guard let format, let arguments else { return }
    LogCollector.take(source, level, format, arguments)
  }

  /// Installs the callback, once per process.
  static func install() { _ = installed }

  /// The last line of an error that FFmpeg logged on this thread during `body`, without its newline.
  static func lastError<Result>(during body: () -> Result) -> (Result, String?) {
    let thread = kite_gettid()
    // Whoever reads for a demuxer may listen too, inside of the demuxer's call.
    let outer = listeners.withLock { $0.updateValue("", forKey: thread) }
    let result = body()
    let line = listeners.withLock { listeners in
      let line = listeners[thread]
      listeners[thread] = outer
      return line
    }
    return (result, line.flatMap { $0.isEmpty ? nil : $0 })
  }

  private static func take(
    _ source: UnsafeMutableRawPointer?, _ level: Int32, _ format: UnsafePointer<CChar>,
    _ arguments: CVaListPointer
  ) {
    let thread = kite_gettid()
    let isHeard = level <= AV_LOG_ERROR && listeners.withLock { $0[thread] != nil }
    let ownLevel = ownLevel(of: level)
    let isSent = ownLevel.map(KiteLog.isSent) ?? false
    guard isHeard || isSent else { return }
    let line = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer -> String in
      guard let start = buffer.baseAddress else { return "" }
      buffer.initialize(repeating: 0)
      _ = kite_log_line(source, level, format, arguments, start, Int32(buffer.count))
      return String(cString: start)
    }
    if isHeard { listeners.withLock { $0[thread] = line } }
    if isSent, let ownLevel, !line.isEmpty {
      KiteLog.log(ownLevel, .library, String(cString: kite_log_name(source)), line)
    }
  }

  private static func ownLevel(of level: Int32) -> LogLevel? {
    switch level {
    case ...AV_LOG_ERROR: .warning
    case ...AV_LOG_WARNING: .info
    case ...AV_LOG_VERBOSE: .debug
    default: nil
    }
  }
}
