/// The line on which a film that loops is played: it goes on where the film begins again.
///
/// Clock, frames and samples are on the line, so that nothing stops or jumps at the join; media time is what the player says.
struct Laps {
  /// From `start` on the line, media time is the line's time less `start`.
  private var starts: [MediaTime] = [.zero]

  /// What the newest lap's media times are moved by.
  var offset: MediaTime { starts.last ?? .zero }

  /// The media time at a time of the line.
  func media(at line: MediaTime) -> MediaTime {
    line - (starts.last { $0 <= line } ?? starts.first ?? .zero)
  }

  /// Where the lap that `line` is in ends on the line, as far as that is known.
  func end(at line: MediaTime) -> MediaTime? { starts.first { $0 > line } }

  /// The film begins again `length` behind its beginning. Returns the new offset.
  mutating func begin(after length: MediaTime) -> MediaTime {
    starts.append(offset + length)
    // Nobody is further behind than what is read ahead: a film of a frame has some hundred laps in it.
    if starts.count > 10_000 { starts.removeFirst() }
    return offset
  }

  /// A jump: the line is media time again.
  mutating func reset() { starts = [.zero] }
}

/// A packet of a later lap, at its time on the line.
final class LapPacket: MediaPacket {
  let base: any MediaPacket
  let pts: MediaTime?

  init(_ base: any MediaPacket, offset: MediaTime) {
    self.base = base
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
  init(offset: MediaTime) { self.offset = offset }

  let trackID = -1
  var pts: MediaTime? { offset }
  var byteCount: Int { 0 }
  // So that it is never passed over.
  var isKeyframe: Bool { true }
}
