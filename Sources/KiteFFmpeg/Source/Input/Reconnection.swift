import KiteCore
import KiteSystem

/// When to connect again to a server that broke off, and when to give up.
///
/// The first time at once, then after a pause that doubles each time; until bytes come, or the time in which some have to
/// come is over, which is the caller's to know. A server that has nothing for us any more is not asked again.
struct Reconnection {
  /// What the end of a connection means.
  enum Cause: Hashable {
    /// The network's or a passing trouble of the server's: worth another try.
    case passing
    /// The server said no.
    case refusal
  }

  /// Tries in a row, without a byte between them.
  private(set) var tries = 0
  private let firstPause: Int64
  private let longestPause: Int64

  /// - Parameter firstPause: The pause before the second try.
  init(firstPause: MediaTime) {
    self.firstPause = max(1_000_000, firstPause.nanoseconds)
    longestPause = self.firstPause.multipliedClamped(by: 32)
  }

  /// Bytes have come.
  mutating func succeeded() { tries = 0 }

  /// A connection ended too early. How long to wait before the next one, in nanoseconds; nil: give up.
  mutating func failed(_ cause: Cause) -> Int64? {
    guard cause == .passing else { return nil }
    defer { tries += 1 }
    guard tries > 0 else { return 0 }
    return min(longestPause, firstPause.multipliedClamped(by: 1 << Int64(min(tries - 1, 16))))
  }
}
