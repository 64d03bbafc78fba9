public import TestMedia

extension ReferencePicture {
  /// A rectangle of whole pixels.
  public struct Area: Hashable, Sendable, CustomStringConvertible {
    public var x: Int
    public var y: Int
    public var width: Int
    public var height: Int

    /// A rectangle at (`x`, `y`).
    public init(x: Int, y: Int, width: Int, height: Int) {
      self.x = x
      self.y = y
      self.width = width
      self.height = height
    }

    public var description: String { "\(width)×\(height) at \(x),\(y)" }

    /// The largest distance between an edge of this rectangle and the same edge of `other`.
    public func edgeDistance(to other: Area) -> Int {
      max(
        abs(x - other.x), abs(y - other.y), abs(x + width - other.x - other.width),
        abs(y + height - other.y - other.height))
    }
  }

  /// Where the picture of a still test clip is: the box around all pixels of its white frame.
  ///
  /// The bars are black, and the compositors' background is darker than `threshold` too.
  public func frameArea(threshold: UInt8 = 140) -> Area? {
    pixels.withUnsafeBufferPointer { pixels in
      func isBright(_ x: Int, _ y: Int) -> Bool {
        let index = (y * width + x) * 4
        return pixels[index] > threshold || pixels[index + 1] > threshold || pixels[index + 2] > threshold
      }
      func hasBrightRow(_ y: Int) -> Bool { (0..<width).contains { isBright($0, y) } }
      // From outside inwards: what is inside needn't be looked at.
      guard let top = (0..<height).first(where: { hasBrightRow($0) }),
        let bottom = (top..<height).last(where: { hasBrightRow($0) })
      else { return nil }
      let rows = top...bottom
      guard let left = (0..<width).first(where: { x in rows.contains { isBright(x, $0) } }),
        let right = (left..<width).last(where: { x in rows.contains { isBright(x, $0) } })
      else { return nil }
      return Area(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
    }
  }

  /// The part in `area`, which lies inside.
  public func cropped(to area: Area) -> ReferencePicture {
    var part: [UInt8] = []
    part.reserveCapacity(area.width * area.height * 4)
    for y in area.y..<(area.y + area.height) {
      let start = (y * width + area.x) * 4
      part += pixels[start..<(start + area.width * 4)]
    }
    return ReferencePicture(width: area.width, height: area.height, pixels: part)
  }
}
