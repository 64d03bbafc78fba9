/// What of the packets that are read belongs to a part of the film that is played over and over.
///
/// Pictures come in the order of their decoding: behind one that is over may be one that is not, and may need it. Those that
/// are over are held back therefore, until one comes that is not; after as many as any codec reorders there is none.
struct LoopRangeReader {
  /// Pictures in a row that have to be over: no codec reorders more than 16.
  private static let reordered = 17
  /// When one track is over by so much, the other one has nothing more: files are interleaved.
  private static let patience = MediaTime(seconds: 1)

  let end: MediaTime
  private var heldBack: [any MediaPacket] = []
  private var isPictureOver = false
  private var isSoundOver = false
  private var isFarOver = false

  /// A reader of what comes before `end`.
  init(end: MediaTime) { self.end = end }

  /// Takes a picture; returns what is to be decoded of what was taken.
  mutating func picture(_ packet: any MediaPacket) -> [any MediaPacket] {
    guard !isPictureOver else {
      note(packet.pts)
      return []
    }
    heldBack.append(packet)
    if let pts = packet.pts, pts >= end {
      note(pts)
      isPictureOver = heldBack.count >= Self.reordered
      if isPictureOver { heldBack = [] }
      return []
    }
    defer { heldBack = [] }
    return heldBack
  }

  /// Takes sound; returns whether it is to be decoded.
  mutating func sound(_ packet: any MediaPacket) -> Bool {
    guard let pts = packet.pts, pts >= end else { return !isSoundOver }
    note(pts)
    isSoundOver = true
    return false
  }

  /// Whether all is read of tracks of these kinds.
  func isOver(hasVideo: Bool, hasSound: Bool) -> Bool {
    isFarOver || (isPictureOver || !hasVideo) && (isSoundOver || !hasSound)
  }

  private mutating func note(_ pts: MediaTime?) {
    if let pts, pts >= end + Self.patience { isFarOver = true }
  }
}
