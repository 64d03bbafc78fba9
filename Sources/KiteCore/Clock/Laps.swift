/// The line on which what follows without a gap is played: it goes on where a film begins again, or where the next one
/// begins.
///
/// Clock, frames and samples are on the line, so that nothing stops or jumps at the join; media time is what the player says.
struct Laps {
  /// From `line` on, media time of `item` is the line's time less `offset`.
  private struct Start {
    var line: MediaTime
    var offset: MediaTime
    var item: UInt64
  }

  private var starts = [Start(line: .zero, offset: .zero, item: 0)]
  /// Whose media times `media(at:)` says: the one that is shown.
  var item: UInt64 = 0

  /// What the newest lap's media times are moved by.
  var offset: MediaTime { starts.last?.offset ?? .zero }

  /// Where the newest lap begins on the line.
  var start: MediaTime { starts.last?.line ?? .zero }

  /// The item's media time at a time of the line. Outside of the item: as if it went on.
  func media(at line: MediaTime) -> MediaTime {
    let own = starts.last { $0.item == item && $0.line <= line } ?? starts.first { $0.item == item }
    return line - ((own ?? starts.first)?.offset ?? .zero)
  }

  /// Where the lap that `line` is in ends on the line, as far as that is known.
  func end(at line: MediaTime) -> MediaTime? { starts.first { $0.line > line }?.line }

  /// The film begins again at its media time `start`, when its newest lap has come to `end`. Returns the new offset.
  mutating func begin(after end: MediaTime, at start: MediaTime = .zero) -> MediaTime {
    begin(after: end, at: start, item: starts.last?.item ?? item)
  }

  /// The same with the film of `item`.
  mutating func begin(after end: MediaTime, at start: MediaTime = .zero, item: UInt64) -> MediaTime {
    let line = offset + end
    starts.append(Start(line: line, offset: line - start, item: item))
    // Nobody is further behind than what is read ahead: a film of a frame has some hundred laps in it.
    if starts.count > 10_000 { starts.removeFirst() }
    return offset
  }

  /// A jump: the line is the shown item's media time again.
  mutating func reset() { starts = [Start(line: .zero, offset: .zero, item: item)] }
}

/// A packet of a later lap, at its time on the line.
final class LapPacket: MediaPacket {
  let base: any MediaPacket
  let pts: MediaTime?
  /// Where its lap begins on the line.
  let start: MediaTime

  init(_ base: any MediaPacket, offset: MediaTime, start: MediaTime) {
    self.base = base
    self.start = start
    pts = base.pts.map { $0 + offset }
  }

  var trackID: Int { base.trackID }
  var byteCount: Int { base.byteCount }
  var isKeyframe: Bool { base.isKeyframe }
}

/// Between the packets of two laps: what is inside the decoder is to come out first.
final class LapMark: MediaPacket {
  /// What the times of what follows are moved by.
  let offset: MediaTime
  /// What decodes the next item; nil: the same as before.
  let video: Handoff<any VideoDecoder>?
  let audio: Handoff<any AudioDecoder>?

  init(
    offset: MediaTime, video: Handoff<any VideoDecoder>? = nil, audio: Handoff<any AudioDecoder>? = nil
  ) {
    self.offset = offset
    self.video = video
    self.audio = audio
  }

  let trackID = -1
  var pts: MediaTime? { offset }
  var byteCount: Int { 0 }
  // So that it is never passed over.
  var isKeyframe: Bool { true }
}
