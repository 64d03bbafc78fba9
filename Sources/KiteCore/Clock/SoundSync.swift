import KiteSystem

/// Keeps clock and sound together: which media time each frame of the sink is, and what that means for the clock.
///
/// While sound is heard, the clock follows it. Where it isn't, the clock goes on by itself, and sound that comes later joins
/// it.
struct SoundSync {
  enum Mode: Hashable {
    /// Nothing is heard; what would have been is let go in the clock's pace.
    case silent
    /// Samples are written; the sink begins once there is a stretch of them. `holdsClock`: the clock waits, at most until
    /// `deadline`.
    case priming(holdsClock: Bool, deadline: MonotonicTime)
    /// The sink runs, and hasn't said when the samples are heard.
    case starting(holdsClock: Bool, deadline: MonotonicTime)
    case sounding
  }

  /// From frame `frame` of the sink on, media goes on at `media`, `rate` media seconds a second.
  struct Segment: Hashable {
    var frame: Int64
    var media: MediaTime
    var rate: Double
  }

  /// What the clock is to do.
  enum Correction: Hashable {
    case none
    /// Run from the held position at this time on.
    case start(at: MonotonicTime, rate: Double)
    /// Be at `position` at `time`.
    case set(MediaTime, at: MonotonicTime)
    /// Run at `rate` from `time` on.
    case changeRate(Double, at: MonotonicTime)
  }

  /// How long the clock waits for sound: a device that slept wakes within that.
  static let patience: Int64 = 250_000_000
  /// How often the sink is asked while something is to begin.
  static let pollInterval: Int64 = 5_000_000
  /// How often it is asked while it sounds: half of what it holds.
  static let checkInterval: Int64 = 100_000_000
  /// Offsets up to this are not corrected: less than a sample server's jitter.
  private static let tolerance: Int64 = 1_000_000
  /// Larger offsets are a jump, and the clock jumps with them.
  private static let jump: Int64 = 50_000_000
  /// Larger ones are no offset: pictures are on another time line already, or still.
  private static let otherTimeLine: Int64 = 10_000_000_000
  /// A clock that is slewed runs at most this part faster or slower: nobody sees that.
  private static let slew = 0.01
  /// What passes between writing and hearing when sound joins a running clock, roughly; the sink then says it exactly.
  static let usualLatency: Int64 = 20_000_000

  let sampleRate: Int
  private(set) var mode = Mode.silent
  private(set) var segments: [Segment] = []
  /// Frames written to the sink since it was made.
  private(set) var written: Int64 = 0
  /// Where the next sample written belongs; nil: wherever the clock is.
  private(set) var next: MediaTime?
  private var nextRate = 1.0
  private var corrected = MonotonicTime.distantPast
  /// The sink sounded when it was last told to, or has not been tried: worth waiting for.
  private var isTrusted = true

  init(sampleRate: Int) { self.sampleRate = max(1, sampleRate) }

  /// Whether the clock is to stand until sound is heard.
  var holdsClock: Bool {
    switch mode {
    case .priming(let holds, _), .starting(let holds, _): holds
    case .silent, .sounding: false
    }
  }

  // MARK: What is written

  /// `count` frames were written that begin at `media`.
  mutating func wrote(_ count: Int, at media: MediaTime, rate: Double) {
    guard count > 0 else { return }
    let isJoined = next.map { abs(($0 - media).nanoseconds) <= 500_000 } ?? false
    if !isJoined || rate != nextRate {
      segments.append(Segment(frame: written, media: media, rate: rate))
    }
    written += Int64(count)
    nextRate = rate
    next = segments.last.map { self.media(of: written, in: $0) }
  }

  /// What waits in the sink is let go.
  mutating func flushed() {
    segments.removeAll()
    next = nil
  }

  /// Which media time `frame` is; nil: from before a flush.
  func media(of frame: Int64) -> (time: MediaTime, segment: Segment)? {
    guard let segment = segments.last(where: { $0.frame <= frame }) else { return nil }
    return (media(of: frame, in: segment), segment)
  }

  /// How many frames the media from `a` to `b` takes at `rate`.
  func frames(from a: MediaTime, to b: MediaTime, rate: Double) -> Int {
    let seconds = (b - a).seconds / rate * Double(sampleRate)
    return seconds.isFinite ? Int(min(max(seconds.rounded(), 0), 1e9)) : 0
  }

  private func media(of frame: Int64, in segment: Segment) -> MediaTime {
    segment.media + span(ofFrames: frame - segment.frame, rate: segment.rate)
  }

  /// Media that `count` frames hold.
  func span(ofFrames count: Int64, rate: Double) -> MediaTime {
    if rate == 1, abs(count) < 1 << 32 {
      return MediaTime(nanoseconds: count * 1_000_000_000 / Int64(sampleRate))
    }
    return MediaTime(seconds: Double(count) / Double(sampleRate) * rate)
  }

  // MARK: What happens

  /// The clock is to start at `now`, or waits for the sound: returns whether it waits.
  mutating func start(status: AudioSinkStatus, at now: MonotonicTime) -> Bool {
    guard status != .unavailable, isTrusted else {
      mode = .silent
      return false
    }
    mode = .priming(holdsClock: true, deadline: now + Self.patience)
    return true
  }

  /// Sound is to be heard in step with a clock that runs.
  mutating func join(at now: MonotonicTime) {
    flushed()
    mode = .priming(holdsClock: false, deadline: now + 4 * Self.patience)
  }

  /// There are enough samples in the sink, or no more: it may run. Returns whether it is to be told.
  mutating func primed(at now: MonotonicTime) -> Bool {
    guard case .priming(let holds, let deadline) = mode else { return false }
    mode = .starting(holdsClock: holds, deadline: deadline)
    return true
  }

  /// The clock stands, or goes elsewhere.
  mutating func stop() { mode = .silent }

  /// Looks at what the sink says, while playing. Returns what the clock is to do.
  ///
  /// After it the mode may be `silent`: the sink is to be flushed then.
  mutating func look(
    status: AudioSinkStatus, anchor: AudioAnchor?, clock: PlaybackClock, at now: MonotonicTime
  ) -> Correction {
    switch mode {
    case .silent:
      return .none
    case .priming(let holds, let deadline), .starting(let holds, let deadline):
      if let anchor, let heard = media(of: anchor.frame), case .starting = mode {
        mode = .sounding
        isTrusted = true
        corrected = now
        return begin(heard, anchor: anchor, clock: clock, holds: holds, at: now)
      }
      guard status == .unavailable || now >= deadline else { return .none }
      if status != .unavailable, case .starting = mode { isTrusted = false }
      mode = .silent
      return holds ? .start(at: now, rate: clock.rate) : .none
    case .sounding:
      guard status == .sounding else {
        mode = .silent
        return .none
      }
      guard let anchor, let heard = media(of: anchor.frame) else { return .none }
      return follow(heard, anchor: anchor, clock: clock, at: now)
    }
  }

  /// When there is something to look at again; nil: nothing changes by itself.
  func nextLook(clock: PlaybackClock, anchor: AudioAnchor?, at now: MonotonicTime) -> MonotonicTime? {
    switch mode {
    case .silent: return nil
    case .priming(_, let deadline): return deadline
    case .starting: return now + Self.pollInterval
    case .sounding:
      let check = now + Self.checkInterval
      return nextBoundary(anchor, after: now).map { min($0, check) } ?? check
    }
  }

  private mutating func begin(
    _ heard: (time: MediaTime, segment: Segment), anchor: AudioAnchor, clock: PlaybackClock, holds: Bool,
    at now: MonotonicTime
  ) -> Correction {
    let rate = heard.segment.rate
    if holds {
      // The held position is heard then: later than now, if the device takes its time.
      let ahead = clock.position(at: now) - heard.time
      let due = anchor.time.advanced(by: MediaTime(seconds: ahead.seconds / rate).nanoseconds)
      return .start(at: max(due, now - Self.jump), rate: rate)
    }
    return set(heard, anchor: anchor, clock: clock, at: now)
  }

  private mutating func follow(
    _ heard: (time: MediaTime, segment: Segment), anchor: AudioAnchor, clock: PlaybackClock,
    at now: MonotonicTime
  ) -> Correction {
    // The speed changes where the samples made for another one are heard.
    let present = segmentHeard(at: now, anchor: anchor)
    if let present, present.rate != clock.rate {
      return .changeRate(present.rate, at: time(of: present.frame, anchor: anchor))
    }
    if let present { segments.removeAll { $0.frame < present.frame && $0.frame < anchor.frame } }
    guard heard.segment.rate == clock.rate else { return .none }
    let offset = (heard.time - clock.position(at: anchor.time, unclamped: true)).nanoseconds
    let elapsed = min(now - corrected, 1_000_000_000)
    corrected = now
    // At a break in the time line pictures and sound change over at different moments.
    if abs(offset) <= Self.tolerance || abs(offset) > Self.otherTimeLine { return .none }
    if abs(offset) > Self.jump { return set(heard, anchor: anchor, clock: clock, at: now) }
    let most = Int64(Double(elapsed) * Self.slew)
    let change = min(max(offset, -most), most)
    return .set(clock.position(at: now, unclamped: true) + MediaTime(nanoseconds: change), at: now)
  }

  /// The position is never set back: the clock rather waits until the sound is there.
  private func set(
    _ heard: (time: MediaTime, segment: Segment), anchor: AudioAnchor, clock: PlaybackClock,
    at now: MonotonicTime
  ) -> Correction {
    let position = clock.position(at: now)
    let elapsed = MediaTime(seconds: Double(now - anchor.time) / 1e9 * heard.segment.rate)
    let sound = heard.time + elapsed
    if sound >= position { return .set(sound, at: now) }
    let wait = MediaTime(seconds: (position - sound).seconds / heard.segment.rate).nanoseconds
    return .set(position, at: now.advanced(by: wait))
  }

  private func time(of frame: Int64, anchor: AudioAnchor) -> MonotonicTime {
    let frames = Double(frame - anchor.frame)
    return anchor.time.advanced(by: MediaTime(seconds: frames / Double(sampleRate)).nanoseconds)
  }

  private func segmentHeard(at now: MonotonicTime, anchor: AudioAnchor) -> Segment? {
    segments.last { time(of: $0.frame, anchor: anchor) <= now }
  }

  private func nextBoundary(_ anchor: AudioAnchor?, after now: MonotonicTime) -> MonotonicTime? {
    guard let anchor else { return nil }
    return segments.lazy.map { time(of: $0.frame, anchor: anchor) }.first { $0 > now }
  }

  /// Whether the sink has run dry and the clock has gone on: what would be written now is too late.
  func isLate(clock: PlaybackClock, at now: MonotonicTime) -> Bool {
    guard mode == .sounding, let next else { return false }
    return clock.position(at: now) - next > MediaTime(nanoseconds: 40_000_000)
  }
}
