import KiteCore

/// Gives every frame a time, also those for which neither container nor decoder has one.
struct FrameTimer {
  /// Time from one frame to the next by the stream's frame rate; 25 a second when nobody knows, as FFmpeg assumes too.
  private let nominal: MediaTime
  private let isRateKnown: Bool
  /// When the frame after the last one is expected.
  private var next: MediaTime?

  init(frameRate: Double?) {
    isRateKnown = frameRate != nil
    nominal = MediaTime(seconds: 1 / (frameRate ?? 25))
  }

  /// The time and the duration of the next frame out of the decoder.
  ///
  /// - Parameters:
  ///   - pts: The frame's own time, if it has one.
  ///   - duration: Its own duration; zero when unknown.
  mutating func timed(pts: MediaTime?, duration: MediaTime) -> (pts: MediaTime, duration: MediaTime) {
    let known = duration > .zero ? duration : isRateKnown ? nominal : .zero
    let time = pts ?? next ?? .zero
    next = time + (known > .zero ? known : nominal)
    return (time, known)
  }

  /// After a seek the expectation is void.
  mutating func reset() { next = nil }
}
