/// What became of the video of one open item, counted from its opening.
///
/// At every instant `decodedFrames == deliveredFrames + droppedFrames + discardedFrames + waitingFrames`.
public struct PlaybackStatistics: Hashable, Sendable {
  /// Frames that came out of the decoder.
  public internal(set) var decodedFrames = 0
  /// Frames that became the current picture, and so went to the renderer, if there was one. Showing one again, as at an
  /// attach, does not count.
  public internal(set) var deliveredFrames = 0
  /// Frames that were let go because they were late and the next one was due too.
  public internal(set) var droppedFrames = 0
  /// Frames that were let go because they were no longer wanted: a jump, a close.
  public internal(set) var discardedFrames = 0
  /// Frames that wait for their time, or are on their way to the renderer.
  public internal(set) var waitingFrames = 0
  /// Packets passed over undecoded: to catch up with the clock, or from damage on to the next keyframe.
  public internal(set) var skippedPackets = 0
  /// Seeks that the source refused; playing went on where it was.
  public internal(set) var refusedSeeks = 0
  /// Damaged packets, and tracks without a decoder, that playback went on without.
  public internal(set) var decodeWarnings = 0
  /// The last of those.
  public internal(set) var lastWarning: MediaError?
  /// What decodes the video.
  public internal(set) var decoder = DecoderReport()

  /// No frames.
  public init() {}

  mutating func warn(_ error: MediaError) {
    decodeWarnings += 1
    lastWarning = error
  }
}
