import KiteSystem

/// Decides how much of the video is decoded when decoding can't keep up with the clock.
///
/// First, pictures that no other picture needs are skipped. If that doesn't do, decoding goes on at a later keyframe, so
/// that what is shown never lags far. Back to everything only after a time without a late frame, which doubles each time
/// that proves too early: no flapping.
struct CatchUp {
  private enum State {
    case keepingUp(lateInARow: Int)
    case skipping(onTimeSince: MonotonicTime?)
  }

  /// Frames late in a row that are more than a hiccup.
  private static let lateFrames = 5
  /// A frame this late needs no others beside it.
  private static let veryLate = 250_000_000 as Int64
  /// As late as this, skipping doesn't do: continue at a keyframe.
  static let hopelesslyLate = 2_000_000_000 as Int64
  /// Time without late frames before everything is decoded again: at first, and at most.
  private static let patience = (first: 2_000_000_000 as Int64, most: 32_000_000_000 as Int64)
  /// Late again within this time: it was too early.
  private static let relapse = 10_000_000_000 as Int64

  private var state = State.keepingUp(lateInARow: 0)
  private var patience = CatchUp.patience.first
  private var leftAt: MonotonicTime?
  /// Whether packets are to be passed over until a keyframe that is not hopelessly late.
  private(set) var seeksKeyframe = false

  /// Whether the decoder skips pictures that no other picture needs.
  var skipsNonReferenceFrames: Bool {
    if case .skipping = state { return true }
    return false
  }

  /// A frame came `lateness` nanoseconds after its target (negative: before) and stays `duration` nanoseconds.
  mutating func frame(lateness: Int64, duration: Int64, at now: MonotonicTime) {
    if lateness >= Self.hopelesslyLate { seeksKeyframe = true }
    // Up to its own duration a frame is late by the scheduler's whim; below 20 ms nobody sees it.
    let isLate = lateness > max(duration, 20_000_000)
    switch state {
    case .keepingUp(let lateInARow):
      let count = isLate ? lateInARow + 1 : 0
      guard count >= Self.lateFrames || lateness >= Self.veryLate else {
        state = .keepingUp(lateInARow: count)
        return
      }
      if let leftAt, now - leftAt < Self.relapse {
        patience = min(patience * 2, Self.patience.most)
      } else {
        patience = Self.patience.first
      }
      state = .skipping(onTimeSince: nil)
    case .skipping(let onTimeSince):
      if isLate {
        state = .skipping(onTimeSince: nil)
      } else if let onTimeSince {
        guard now - onTimeSince >= patience else { return }
        leftAt = now
        state = .keepingUp(lateInARow: 0)
      } else {
        state = .skipping(onTimeSince: now)
      }
    }
  }

  /// Decoding goes on at a keyframe.
  mutating func foundKeyframe() { seeksKeyframe = false }

  /// The clock stood still, or the position changed: what was late says nothing any more.
  mutating func clockWasSet() {
    seeksKeyframe = false
    switch state {
    case .keepingUp: state = .keepingUp(lateInARow: 0)
    case .skipping: state = .skipping(onTimeSince: nil)
    }
  }
}
