import KiteCore
import KiteSystem

/// A frame that a renderer accepted and has not committed yet.
struct PendingFrame: ~Copyable, Sendable {
  let frame: VideoFrame
  let ticket: FrameTicket
  let target: MonotonicTime
  /// Tells it from all others of its renderer; newer ones have larger ones.
  let number: UInt64
  /// The vblank that it is meant for; nil where they aren't known.
  var aim: FramePacer.Aim?

  /// Ends it for a newer one.
  consuming func supersede() { ticket.superseded() }
  /// Ends it without having shown it.
  consuming func fail() { ticket.failed() }
}
