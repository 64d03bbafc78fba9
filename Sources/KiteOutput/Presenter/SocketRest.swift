import KiteSystem

/// Whether the presenter sleeps through what the compositor says.
///
/// A frame that was committed is answered three times: a callback, a buffer that comes back, feedback. None of them is needed
/// before the next frame is, and each would wake the thread. So while frames come evenly the socket is looked at with every
/// wake that there is anyway, and the answers are there by then.
struct SocketRest {
  /// How long the socket is not looked at, at the most, in nanoseconds: the pause between two frames of a film and a little
  /// more. The presenter reads for the main thread too, whose first event after a quiet while may come so late; with it the
  /// rest is over, so that those behind it, or an interface that moves, don't wait.
  static let longest: Int64 = 45_000_000
  /// Frames in a row, no further apart than `evenly`, after which it rests.
  static let run = 12
  /// Nanoseconds: slower than that, a wake more or less a frame is nothing.
  static let evenly: Int64 = 100_000_000

  private var frames = 0
  private var lastCommit = MonotonicTime.distantPast
  private var lastLook = MonotonicTime.distantPast

  /// A frame was committed.
  mutating func committed(at now: MonotonicTime) {
    frames = now - lastCommit <= Self.evenly ? min(frames + 1, Self.run) : 0
    lastCommit = now
  }

  /// What came was read.
  mutating func looked(at now: MonotonicTime) { lastLook = now }

  /// Something changes about the view, or another thread has events too: what the compositor says is wanted at once.
  mutating func disturb() { frames = 0 }

  /// Whether frames have come evenly for a while.
  func isSteady(at now: MonotonicTime) -> Bool { frames >= Self.run && now - lastCommit <= Self.evenly }

  /// Until when the socket is not looked at; nil: it is.
  func end(at now: MonotonicTime) -> MonotonicTime? {
    guard isSteady(at: now) else { return nil }
    let end = lastLook + Self.longest
    return now < end ? end : nil
  }
}
