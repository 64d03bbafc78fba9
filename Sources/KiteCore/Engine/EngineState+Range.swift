import KiteSystem

/// Playing a part of a film over and over: laps that begin at its beginning and end at its end, cut to the picture and to the
/// sample.
extension EngineState {
  /// Shorter parts are none: they would be nothing but seeks.
  static let shortestRange = MediaTime(nanoseconds: 100_000_000)

  /// Plays `range` over and over from now on, or nothing; what was read ahead is let go.
  mutating func setLoopRange(_ range: Range<MediaTime>?, at now: MonotonicTime) {
    guard isSeekable == true, !isStopping, range != loopRange else { return }
    if let range, range.upperBound - range.lowerBound < Self.shortestRange || range.lowerBound < .zero {
      return
    }
    let position = seeking.destination ?? position(at: now)
    loopRange = range
    isChanged = true
    guard status.status != .ended else { return }
    // Behind its end already: to its beginning.
    let isBehind = range.map { position >= $0.upperBound } ?? false
    seek(to: isBehind ? range?.lowerBound ?? position : position, mode: .precise, at: now)
  }

  /// A jump to `time`: behind the part's end nothing of it is going to come.
  mutating func beginRange(at time: MediaTime) {
    rangeReader = loopRange.flatMap { time < $0.upperBound ? LoopRangeReader(end: $0.upperBound) : nil }
  }

  /// All before `end` is read: the lap is as long, whatever was not read.
  mutating func reachRangeEnd(_ end: MediaTime) { reach.extend(to: end) }

  /// Whether a picture is to be shown whose lap is moved by `offset`.
  func isInRange(_ pts: MediaTime, offset: MediaTime) -> Bool {
    guard rangeReader != nil, let range = loopRange, pts != .unknown else { return true }
    return pts < range.upperBound && (offset == .zero || pts >= range.lowerBound)
  }

  /// What of `head` is outside of the part: as many frames at its beginning, and all but `limit`. Nil: nothing is.
  func cutOfRange(_ head: SoundHead) -> (skipped: Int, limit: Int)? {
    guard rangeReader != nil, let range = loopRange, let sync = sound?.sync, head.pts != .unknown else {
      return nil
    }
    let media = head.pts - head.lap
    let frames = sync.frames(from: media, to: range.upperBound, rate: head.rate)
    let limit = media >= range.upperBound ? 0 : max(0, frames)
    let isBefore = head.lap != .zero && media < range.lowerBound
    let skipped = isBefore ? sync.frames(from: media, to: range.lowerBound, rate: head.rate) : 0
    return (max(0, skipped), limit)
  }
}
