import KiteSystem

/// The law by which frames get their time on the screen. `docs/engine.md` says it in words.
struct FrameSchedule {
  /// What a frame says about its time.
  struct Timing: Hashable {
    var pts: MediaTime
    var duration = MediaTime.zero
  }

  enum Verdict: Hashable {
    /// To the renderer now, for this time.
    case deliver(target: MonotonicTime)
    /// Let it go: its successor is due too.
    case drop(target: MonotonicTime)
    /// Look again at this time; `watchesSuccessor` also when another frame arrives behind it.
    case wait(until: MonotonicTime, watchesSuccessor: Bool)
  }

  /// A frame on the media's time line.
  private struct Place {
    /// As the frame said it.
    var pts: MediaTime
    /// As the schedule reads it.
    var media: MediaTime
    var duration: MediaTime
    /// Whether the media's time line breaks here.
    var isBreak = false
    var end: MediaTime { media + duration }
  }

  /// A gap ahead that is played as it is. More is a break in the time line, unless the media is long enough for it.
  static let longestGap = MediaTime(seconds: 10)
  /// A step back that is a frame out of order. More is a break.
  static let longestStepBack = MediaTime(seconds: 1)
  /// A frame further ahead than this may have a wrong time: the next one tells.
  private static let doubtfulGap = 1_000_000_000 as Int64

  /// Length of the media, when it is known: what is within it is never a break ahead.
  var mediaDuration: MediaTime?
  /// How long a frame stays that doesn't say, before two of them tell: 25 a second.
  var usualDuration = MediaTime(nanoseconds: 40_000_000)
  private var last: Place?

  /// Where the last frame begins; nil before the first.
  var start: MediaTime? { last?.media }
  /// Where the last frame ends; nil before the first.
  var end: MediaTime? { last?.end }
  /// The last frame's own time; nil before the first, and where it had none.
  var lastPTS: MediaTime? { last.flatMap { $0.pts == .unknown ? nil : $0.pts } }
  /// How long the last frame stays.
  var frameDuration: MediaTime { last?.duration ?? usualDuration }

  /// Forgets the frames so far, as for a seek.
  mutating func reset() { last = nil }

  /// Takes the first frame, which is shown at once. Returns its media time, from which the clock starts.
  mutating func begin(with timing: Timing) -> MediaTime {
    let place = place(timing, after: nil, position: .zero)
    last = place
    return place.media
  }

  /// Says what to do at `now` with the oldest frame that waits, when `successor` waits behind it.
  ///
  /// The clock runs. It is set anew where the media's time line breaks.
  mutating func next(
    _ head: Timing, successor: Timing?, at now: MonotonicTime, lead: Int64, clock: inout PlaybackClock
  ) -> Verdict {
    let position = clock.position(at: now)
    let place = place(head, after: last, position: position)
    // Across a break the cadence goes on: the frame comes when the one before has had its duration.
    guard let due = clock.time(of: place.isBreak ? last?.end ?? place.media : place.media) else {
      return .wait(until: .distantFuture, watchesSuccessor: false)
    }
    var handover = due.advanced(by: -max(0, lead))
    if let successor {
      let next = self.place(successor, after: place, position: place.media)
      let step = next.isBreak ? place.duration : next.media - place.media
      if due.advanced(by: clock.span(of: step)) <= now, next.media > place.media || next.isBreak {
        if place.isBreak { clock.set(place.media, at: due) }
        last = place
        return .drop(target: due)
      }
      // Seen from the frame before, the successor comes earlier than this one: this one's time is wrong.
      let other = self.place(successor, after: last, position: position)
      if !other.isBreak, other.media < place.media, let otherDue = clock.time(of: other.media) {
        if otherDue <= now { return .drop(target: due) }
        handover = min(handover, otherDue)
      }
    }
    guard handover <= now else {
      return .wait(until: handover, watchesSuccessor: successor == nil && due - now > Self.doubtfulGap)
    }
    let target = place.isBreak ? max(due, now) : due
    if place.isBreak { clock.set(place.media, at: target) }
    last = place
    return .deliver(target: target)
  }

  private func place(_ timing: Timing, after last: Place?, position: MediaTime) -> Place {
    var place = Place(pts: timing.pts, media: timing.pts, duration: .zero)
    if let last {
      if timing.pts == .unknown || timing.pts == last.pts {
        // Files without times repeat one.
        place.media = last.end
      } else if timing.pts < last.media - Self.longestStepBack {
        place.isBreak = true
      } else if timing.pts - last.end > Self.longestGap, timing.pts - position > Self.longestGap {
        place.isBreak = mediaDuration.map { timing.pts > $0 } ?? true
      }
    } else if timing.pts == .unknown {
      place.media = .zero
    }
    place.duration = duration(of: timing, at: place, after: last)
    return place
  }

  private func duration(of timing: Timing, at place: Place, after last: Place?) -> MediaTime {
    if timing.duration > .zero {
      // A slide may stay for minutes when the media is that long; a damaged duration may not.
      let rest = (mediaDuration ?? .zero) - place.media
      return min(timing.duration, max(Self.longestGap, rest))
    }
    guard let last, !place.isBreak else { return usualDuration }
    let step = place.media - last.media
    return step > .zero && step <= Self.longestStepBack ? step : last.duration
  }
}
