/// Something that a subtitle track shows for a while.
public struct SubtitleEvent: Sendable {
  /// What is shown.
  public enum Content: Sendable {
    /// A line in the form of ASS events as Matroska keeps them, its first field the order of reading:
    /// `ReadOrder,Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text`.
    case text(String)
    /// Pictures. None: what was shown before ends.
    case pictures([SubtitleBitmap])
  }

  /// When it appears, in media time.
  public var start: MediaTime
  /// When it goes; nil: when the next one of the track comes.
  public var end: MediaTime?
  /// What is shown.
  public var content: Content

  /// An event from `start` to `end`.
  public init(start: MediaTime, end: MediaTime?, content: Content) {
    self.start = start
    self.end = end
    self.content = content
  }

  /// Whether what it shows changes while it is shown: motion, fades, karaoke.
  var isAnimated: Bool {
    guard case .text(let line) = content else { return false }
    // The effect is the eighth field; a banner or a scroll moves.
    let fields = line.utf8.split(separator: UInt8(ascii: ","), maxSplits: 8, omittingEmptySubsequences: false)
    guard fields.count == 9 else { return false }
    return !fields[7].isEmpty || Self.movingTags.contains { fields[8].contains(subsequence: $0) }
  }

  /// Overrides that change with time; `\k` stands for all kinds of karaoke.
  private static let movingTags: [[UInt8]] = ["\\t(", "\\move", "\\fad", "\\k", "\\K"].map { Array($0.utf8) }
}

extension Collection where Element == UInt8 {
  fileprivate func contains(subsequence wanted: [UInt8]) -> Bool {
    var rest = self[...]
    while let found = rest.firstIndex(of: wanted[0]) {
      rest = rest[found...]
      if rest.starts(with: wanted) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}

/// A picture of a subtitle track of pictures (PGS, VobSub, DVB).
public struct SubtitleBitmap: Hashable, Sendable {
  /// Where it goes on the track's canvas, in the canvas's pixels.
  public var place: PixelRect
  /// The size of the canvas that is laid over the film's picture.
  public var canvas: PixelSize
  /// The pixels, row by row: premultiplied ARGB, the blue in the lowest byte; `place.width` × `place.height` of them.
  public var pixels: [UInt32]

  /// A picture of `pixels` at `place`; nil when they are not as many as the place has, or there are none.
  public init?(place: PixelRect, canvas: PixelSize, pixels: [UInt32]) {
    guard !place.size.isEmpty, !canvas.isEmpty,
      place.width.multipliedReportingOverflow(by: place.height)
        == (pixels.count, false)
    else { return nil }
    self.place = place
    self.canvas = canvas
    self.pixels = pixels
  }

  /// A straight colour as a premultiplied pixel.
  public static func pixel(alpha: UInt8, red: UInt8, green: UInt8, blue: UInt8) -> UInt32 {
    func scaled(_ level: UInt8) -> UInt32 { (UInt32(level) * UInt32(alpha) + 127) / 255 }
    return UInt32(alpha) << 24 | scaled(red) << 16 | scaled(green) << 8 | scaled(blue)
  }
}
