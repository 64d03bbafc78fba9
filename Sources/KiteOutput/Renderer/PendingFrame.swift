import KiteCore
import KiteSystem

/// A frame that a renderer accepted and has not committed yet.
struct PendingFrame: ~Copyable, Sendable {
  let frame: VideoFrame
  let ticket: FrameTicket
  let target: MonotonicTime

  /// Ends it for a newer one.
  consuming func supersede() { ticket.superseded() }
  /// Ends it without having shown it.
  consuming func fail() { ticket.failed() }
}
