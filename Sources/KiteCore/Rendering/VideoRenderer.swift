public import KiteSystem

/// A frame, and when it is to be on the screen.
public struct TimedFrame: ~Copyable, Sendable {
  /// The picture.
  public let frame: VideoFrame
  /// When it is to be seen.
  public let target: MonotonicTime

  /// `frame`, to be seen at `target`.
  public init(_ frame: consuming VideoFrame, at target: MonotonicTime) {
    self.frame = frame
    self.target = target
  }

  /// The frame alone.
  public consuming func takeFrame() -> VideoFrame { frame }

  /// A second one over the same memory.
  public borrowing func duplicate() -> TimedFrame { TimedFrame(frame.duplicate(), at: target) }
}

/// Where the engine sends its pictures: one surface of one view, from its making to its `close`.
///
/// The engine calls from its own threads, one call at a time. No call blocks, and none calls back into the player.
public protocol VideoRenderer: AnyObject, Sendable {
  /// How long before its target time a frame is wanted, in nanoseconds: time for conversion and commit.
  var lead: Int64 { get }

  /// How long before its target time a frame may come, in nanoseconds, at least `lead`. Where it is more, frames are handed
  /// over several at a time, so that the threads on both sides wake less often. By default `lead`.
  var earliestLead: Int64 { get }

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

  /// Gives back the frames that are to be on the screen after `time` and are not on the surface yet, the oldest first: the
  /// clock was stopped or set, so that their targets are wrong. Their tickets are withdrawn. By default none: they are then
  /// shown as they were meant.
  func recall(after time: MonotonicTime) -> RingBuffer<TimedFrame>

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
  public var earliestLead: Int64 { lead }
  public var memoryWish: FrameMemoryWish { FrameMemoryWish() }
  public func recall(after time: MonotonicTime) -> RingBuffer<TimedFrame> { RingBuffer(capacity: 1) }
  public func setSubtitles(_ plane: (any SubtitlePlane)?) {}
}
