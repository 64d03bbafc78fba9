internal import CWayland
internal import Glibc
internal import KiteSystem

/// Catches the text of protocol errors, which libwayland gives to its log and nowhere else.
///
/// Everything else that libwayland logs goes to the standard error as before. The log handler is the
/// process's: it is installed only for connections of our own, so that a toolkit's handler stays.
enum ProtocolErrorLog {
  /// What was logged, and the thread that handled the error.
  struct Line: Sendable {
    let text: String
    let thread: pthread_t
  }

  private static let lines = Locked<[Line]>([])
  /// The errors of so many connections are remembered.
  private static let capacity = 16

  private static let handler: Void = wl_log_set_handler_client { format, arguments in
    guard let format else { return }
    ProtocolErrorLog.receive(format, arguments)
  }

  static func install() { _ = handler }

  /// The last line that `thread` has logged; it is in nobody's way any more.
  static func takeLine(of thread: pthread_t) -> Line? {
    lines.withLock { lines in
      guard let index = lines.lastIndex(where: { pthread_equal($0.thread, thread) != 0 }) else { return nil }
      return lines.remove(at: index)
    }
  }

  /// The text that came with an error: of `line`, or where the connection's line is not known, of the last that fits.
  static func message(interface: String, object: UInt32, code: UInt32, in line: Line?) -> String {
    // libwayland writes `interface#id: error code: text`, with an `@` for the `#` before 1.21.
    message(after: ["#", "@"].map { "\(interface)\($0)\(object): error \(code): " }, in: line) ?? ""
  }

  /// The text that came with an error about an object that had ended; nil when there was none.
  static func messageOfEndedObject(code: UInt32, in line: Line?) -> String? {
    message(after: ["[destroyed object]: error \(code): "], in: line)
  }

  private static func message(after starts: [String], in line: Line?) -> String? {
    let lines = line.map { [$0] } ?? lines.withLock { $0 }
    for line in lines.reversed() {
      for start in starts where line.text.hasPrefix(start) { return String(line.text.dropFirst(start.count)) }
    }
    return nil
  }

  private static func receive(_ format: UnsafePointer<CChar>, _ arguments: CVaListPointer?) {
    // Whether C's va_list is a pointer, and so may be absent, differs by architecture.
    guard let arguments else { return }
    let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1024) { buffer -> String in
      guard let base = buffer.baseAddress else { return "" }
      vsnprintf(base, buffer.count, format, arguments)
      return String(cString: base)
    }
    // `ConnectFailure` says this in its own words.
    guard !text.hasPrefix("error: XDG_RUNTIME_DIR") else { return }
    guard text.contains(": error ") else {
      _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) }
      return
    }
    let line = Line(text: text.last == "\n" ? String(text.dropLast()) : text, thread: pthread_self())
    lines.withLock { lines in
      if lines.count == capacity { lines.removeFirst() }
      lines.append(line)
    }
  }
}
