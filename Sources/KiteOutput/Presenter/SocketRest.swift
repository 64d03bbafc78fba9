import KiteSystem

/// Whether the presenter sleeps through what the compositor says.
///
/// A frame that was committed is answered three times: a callback, a buffer that comes back, feedback. None of them is needed
/// before the next frame is, and each would wake the thread. So while frames come evenly the socket is looked at with every
/// wake that there is anyway, and the answers are there by then.
struct SocketRest {
  /// How long the socket is not looked at, at the most, in nanoseconds: the presenter reads for the main thread too, whose
  /// input may come so late. Less than the pause between two frames of a film, more than that between the two wakes that a
  /// frame takes.
  static let longest: Int64 = 25_000_000
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

  /// Something changes about the view: what the compositor says is wanted at once.
  mutating func disturb() { frames = 0 }

  /// Until when the socket is not looked at; nil: it is.
  func end(at now: MonotonicTime) -> MonotonicTime? {
    guard frames >= Self.run, now - lastCommit <= Self.evenly else { return nil }
    let end = lastLook + Self.longest
    return now < end ? end : nil
  }
}
