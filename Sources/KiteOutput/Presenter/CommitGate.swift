import KiteSystem

/// When the next commit may go out: one a frame callback, and after a bounded wait where none comes.
///
/// A compositor sends no callbacks for a surface that can't be seen. Waiting for them without a bound froze other
/// players for good when their first commit came while hidden; committing without them floods the compositor.
struct CommitGate {
  /// How long a callback is waited for, in nanoseconds. A second is what compositors give hidden surfaces at the
  /// slowest, and a commit a second costs nothing.
  static let patience: Int64 = 1_000_000_000
  /// How long one is waited for where the one before came: if it was lost, a film stands still for so long and no longer.
  static let patienceForOne: Int64 = 150_000_000

  private enum State {
    case open
    case waiting(since: MonotonicTime)
  }

  private var state = State.open
  /// Whether the latest wait ended with an answer.
  private var wasAnswered = false

  /// The latest commit that asked for a callback; they are numbered upwards.
  private(set) var latest: UInt64 = 0

  /// A commit went out that asked for a frame callback.
  mutating func committed(at now: MonotonicTime) {
    latest += 1
    // The one before was given up.
    if case .waiting = state { wasAnswered = false }
    state = .waiting(since: now)
  }

  /// The callback of a commit came, or it was seen to be on the screen. One of an earlier commit says nothing of the latest.
  mutating func callback(of commit: UInt64) {
    guard commit == latest else { return }
    state = .open
    wasAnswered = true
  }

  /// What was waited for is not needed any more.
  mutating func open() { state = .open }

  /// From when on a commit may go out.
  var opening: MonotonicTime {
    switch state {
    case .open: .distantPast
    case .waiting(let since): since + (wasAnswered ? Self.patienceForOne : Self.patience)
    }
  }
}
