import Foundation

/// Why a compositor can't be run or looked at.
public enum TestDisplayError: Error, CustomStringConvertible {
  /// A system call or command failed.
  case system(String, errno: Int32)
  /// The compositor didn't come up; its last words.
  case notStarted(String, log: String)
  /// No screenshot could be taken or read.
  case noScreenshot(String)
  /// What was waited for didn't come.
  case timedOut(String)

  public var description: String {
    switch self {
    case .system(let what, let code): "\(what): \(String(cString: strerror(code)))"
    case .notStarted(let name, let log): "\(name) did not start: \(log)"
    case .noScreenshot(let reason): "no screenshot: \(reason)"
    case .timedOut(let what): "timed out: \(what)"
    }
  }
}
