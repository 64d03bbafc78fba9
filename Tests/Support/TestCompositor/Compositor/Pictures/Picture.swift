/// Pixels as a person would see them: 8 bits of red, green and blue.
public struct Picture: Hashable, Sendable {
  /// One pixel.
  public struct Pixel: Hashable, Sendable, CustomStringConvertible {
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8

    /// A pixel of a colour.
    public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
      self.red = red
      self.green = green
      self.blue = blue
    }

    /// A pixel of 0xRRGGBB.
    public init(rgb: UInt32) {
      self.init(UInt8(rgb >> 16 & 255), UInt8(rgb >> 8 & 255), UInt8(rgb & 255))
    }

    public static let black = Pixel(0, 0, 0)

    /// The largest difference of a component.
    public func distance(to other: Pixel) -> Int {
      max(
        abs(Int(red) - Int(other.red)), abs(Int(green) - Int(other.green)), abs(Int(blue) - Int(other.blue)))
    }

    public var description: String {
      let value = UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
      let digits = String(value, radix: 16, uppercase: true)
      return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }
  }

  /// Pixels across.
  public let width: Int
  /// Pixels down.
  public let height: Int
  /// Row by row from the top left.
  public private(set) var pixels: [Pixel]

  /// A picture of one colour.
  public init(width: Int, height: Int, filledWith pixel: Pixel = .black) {
    self.width = width
    self.height = height
    pixels = Array(repeating: pixel, count: max(0, width * height))
  }

  /// The pixel in column `x` and row `y`.
  public subscript(x: Int, y: Int) -> Pixel {
    get { pixels[y * width + x] }
    set { pixels[y * width + x] = newValue }
  }

  /// The smallest rectangle outside of which everything is `pixel`, as left, top, right and bottom edges; nil when
  /// nothing else is there.
  public func bounds(outside pixel: Pixel = .black, tolerance: Int = 8)
    -> (left: Int, top: Int, right: Int, bottom: Int)?
  {
    var (left, top, right, bottom) = (width, height, 0, 0)
    for y in 0..<height {
      for x in 0..<width where self[x, y].distance(to: pixel) > tolerance {
        (left, top) = (min(left, x), min(top, y))
        (right, bottom) = (max(right, x + 1), max(bottom, y + 1))
      }
    }
    return left < right ? (left, top, right, bottom) : nil
  }
}
