public import KiteSystem

/// Where the engine sends its pictures: one surface of one view, from its making to its `close`.
///
/// The engine calls from its own threads, one call at a time. No call blocks, and none calls back into the player.
public protocol VideoRenderer: AnyObject, Sendable {
  /// How long before its target time a frame is wanted, in nanoseconds: time for conversion and commit.
  var lead: Int64 { get }

  /// What the memory of frames should be, to be shown without a copy. May change at any time; the engine looks with every
  /// frame. By default memory that any renderer reads.
  var memoryWish: FrameMemoryWish { get }

  /// Takes a frame that is to be on the screen at `target`.
  ///
  /// The renderer holds the newest frame that is due and lets older ones go; a frame whose target has passed is shown
  /// all the same unless a newer one is due too. After `close` the frame is let go at once.
  func present(_ frame: consuming VideoFrame, at target: MonotonicTime)

  /// Lets go of frames that are not on the surface yet, as after a seek. The picture on the surface stays.
  func discardPending()

  /// Another renderer took the player over (false), or it left and this one shows again (true). While false the last
  /// picture stays on the surface and no frame arrives.
  func setActive(_ isActive: Bool)

  /// Shows `plane` over the pictures from now on; nil: nothing. Each picture is shown with what the plane has for its time,
  /// as soon as that is drawn: the picture does not wait for it. By default subtitles are not shown.
  func setSubtitles(_ plane: (any SubtitlePlane)?)

  /// Ends the renderer: what it accepted is settled in its ledger, and its buffers are let go. Idempotent.
  func close()
}

extension VideoRenderer {
  public var memoryWish: FrameMemoryWish { FrameMemoryWish() }
  public func setSubtitles(_ plane: (any SubtitlePlane)?) {}
}
