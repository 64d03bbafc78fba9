import KiteSystem

/// When the next commit may go out: one a frame callback, and after a bounded wait where none comes.
///
/// A compositor sends no callbacks for a surface that can't be seen. Waiting for them without a bound froze other
/// players for good when their first commit came while hidden; committing without them floods the compositor.
struct CommitGate {
  /// How long a callback is waited for, in nanoseconds. A second is what compositors give hidden surfaces at the
  /// slowest, and a commit a second costs nothing.
  static let patience: Int64 = 1_000_000_000

  private enum State {
    case open
    case waiting(since: MonotonicTime)
  }

  private var state = State.open

  /// A commit went out that asked for a frame callback.
  mutating func committed(at now: MonotonicTime) { state = .waiting(since: now) }

  /// The callback of the latest commit came.
  mutating func callback() { state = .open }

  /// From when on a commit may go out.
  var opening: MonotonicTime {
    switch state {
    case .open: .distantPast
    case .waiting(let since): since + Self.patience
    }
  }
}
