/// Drawn subtitles: pieces that lie over one another, the first one lowest.
public struct SubtitleDrawing {
  /// What a piece is made of.
  public enum Ink {
    /// Coverage of one colour, a byte a pixel; the colour is straight ARGB.
    case coverage(UnsafePointer<UInt8>, stride: Int, argb: UInt32)
    /// Premultiplied ARGB; `stride` in pixels.
    case pixels(UnsafePointer<UInt32>, stride: Int)
  }

  /// A rectangle of ink.
  public struct Piece {
    /// Where it is on the canvas.
    public var place: PixelRect
    /// What it is made of.
    public var ink: Ink

    /// `ink` at `place`.
    public init(place: PixelRect, ink: Ink) {
      self.place = place
      self.ink = ink
    }
  }

  /// The pieces, lowest first.
  public var pieces: [Piece]
  /// The part of the canvas in which they are; empty when there is nothing to see.
  public let bounds: PixelRect

  /// A drawing of `pieces`, as far as they are on `canvas`.
  public init(_ pieces: [Piece], on canvas: PixelSize) {
    let all = PixelRect(x: 0, y: 0, width: canvas.width, height: canvas.height)
    self.pieces = pieces.filter { !$0.place.intersection(all).size.isEmpty }
    bounds = self.pieces.reduce(.zero) { $0.union($1.place.intersection(all)) }
  }

  /// Blends it over `memory`, premultiplied ARGB of `size` with `stride` pixels a row, whose first pixel is the canvas's
  /// pixel at (`x`, `y`).
  public func paint(
    onto memory: UnsafeMutablePointer<UInt32>, stride: Int, size: PixelSize, atX x: Int, y: Int
  ) {
    let window = PixelRect(x: x, y: y, width: size.width, height: size.height)
    for piece in pieces {
      let part = piece.place.intersection(window)
      guard !part.size.isEmpty else { continue }
      for row in part.y..<part.y + part.height {
        let target = memory + (row - y) * stride + (part.x - x)
        let (column, line) = (part.x - piece.place.x, row - piece.place.y)
        switch piece.ink {
        case .coverage(let bytes, let stride, let argb):
          Self.cover(target, with: bytes + line * stride + column, count: part.width, argb: argb)
        case .pixels(let pixels, let stride):
          Self.blend(target, with: pixels + line * stride + column, count: part.width)
        }
      }
    }
  }

  private static func cover(
    _ target: UnsafeMutablePointer<UInt32>, with coverage: UnsafePointer<UInt8>, count: Int, argb: UInt32
  ) {
    let alpha = argb >> 24
    guard alpha > 0 else { return }
    for index in 0..<count where coverage[index] > 0 {
      let strength = (UInt32(coverage[index]) * alpha + 127) / 255
      let ink = SubtitleBitmap.pixel(
        alpha: UInt8(truncatingIfNeeded: strength), red: UInt8(truncatingIfNeeded: argb >> 16),
        green: UInt8(truncatingIfNeeded: argb >> 8), blue: UInt8(truncatingIfNeeded: argb))
      target[index] = over(ink, target[index])
    }
  }

  private static func blend(
    _ target: UnsafeMutablePointer<UInt32>, with pixels: UnsafePointer<UInt32>, count: Int
  ) {
    for index in 0..<count where pixels[index] != 0 { target[index] = over(pixels[index], target[index]) }
  }

  /// Premultiplied `top` over `bottom`.
  private static func over(_ top: UInt32, _ bottom: UInt32) -> UInt32 {
    let alpha = top >> 24
    if alpha == 255 || bottom == 0 { return top }
    let rest = 255 - alpha
    // Two channels at a time, each divided by 255 with rounding.
    func scaled(_ pair: UInt32) -> UInt32 {
      let product = pair &* rest &+ 0x0080_0080
      return ((product &+ ((product >> 8) & 0x00FF_00FF)) >> 8) & 0x00FF_00FF
    }
    let (low, high) = (scaled(bottom & 0x00FF_00FF), scaled(bottom >> 8 & 0x00FF_00FF))
    // A premultiplied channel is never larger than its alpha, so that nothing runs over.
    return top &+ (low | high << 8)
  }
}

extension PixelRect {
  /// What both have in common; empty, with no meaning of its place, when that is nothing.
  public func intersection(_ other: PixelRect) -> PixelRect {
    let (left, top) = (max(x, other.x), max(y, other.y))
    let right = min(x.adding(width), other.x.adding(other.width))
    let bottom = min(y.adding(height), other.y.adding(other.height))
    guard right > left, bottom > top else { return .zero }
    return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The smallest that holds both; an empty one counts as nothing.
  public func union(_ other: PixelRect) -> PixelRect {
    if size.isEmpty { return other }
    if other.size.isEmpty { return self }
    let (left, top) = (min(x, other.x), min(y, other.y))
    return PixelRect(
      x: left, y: top, width: max(x + width, other.x + other.width) - left,
      height: max(y + height, other.y + other.height) - top)
  }
}

extension Int {
  /// The sum; saturates, since places in subtitles may be anything.
  fileprivate func adding(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}
