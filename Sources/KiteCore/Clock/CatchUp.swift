import KiteSystem

/// Decides how much of the video is decoded when decoding can't keep up with the clock.
///
/// First, pictures that no other picture needs are skipped, just until frames are in time again: as few as will do. If
/// that doesn't help, decoding goes on at a later keyframe, so that what is shown never lags far.
struct CatchUp {
  private enum State {
    case keepingUp
    case skipping
  }

  /// Late by this, and by more than a frame: skip. Until then late frames are shown late, which loses none; a picture is
  /// not noticed to be behind its sound below that.
  static let late = 100_000_000 as Int64
  /// In time, but for what waking a thread takes: enough has been skipped.
  static let inTime = 5_000_000 as Int64
  /// As late as this, skipping doesn't do: continue at a keyframe.
  static let hopelesslyLate = 2_000_000_000 as Int64

  private var state = State.keepingUp
  /// Whether packets are to be passed over until a keyframe that is not hopelessly late.
  private(set) var seeksKeyframe = false

  /// Whether the decoder skips pictures that no other picture needs.
  var skipsNonReferenceFrames: Bool { state == .skipping }

  /// A frame left the queue `lateness` nanoseconds after its target (negative: before) and stays `duration` nanoseconds.
  mutating func frame(lateness: Int64, duration: Int64) {
    if lateness >= Self.hopelesslyLate { seeksKeyframe = true }
    switch state {
    case .keepingUp where lateness >= max(Self.late, duration): state = .skipping
    case .skipping where lateness < Self.inTime: state = .keepingUp
    case .keepingUp, .skipping: break
    }
  }

  /// Decoding goes on at a keyframe.
  mutating func foundKeyframe() { seeksKeyframe = false }

  /// The clock stood still, or the position changed: what was late says nothing any more.
  mutating func clockWasSet() { self = CatchUp() }
}
