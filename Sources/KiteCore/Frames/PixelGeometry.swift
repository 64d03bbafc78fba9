/// A size in pixels.
public struct PixelSize: Hashable, Sendable {
  /// Pixels across.
  public var width: Int
  /// Pixels down.
  public var height: Int

  /// A size of `width` × `height` pixels.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// No pixels.
  public static let zero = PixelSize(width: 0, height: 0)
  /// Whether there is no pixel inside.
  public var isEmpty: Bool { width <= 0 || height <= 0 }
  /// The size after a quarter turn.
  public var transposed: PixelSize { PixelSize(width: height, height: width) }
}

/// A rectangle in pixels; the origin is the top left corner of the memory.
public struct PixelRect: Hashable, Sendable {
  /// Left edge.
  public var x: Int
  /// Top edge.
  public var y: Int
  /// Pixels across.
  public var width: Int
  /// Pixels down.
  public var height: Int

  /// A rectangle at (`x`, `y`) of `width` × `height` pixels.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Nothing, at the origin.
  public static let zero = PixelRect(x: 0, y: 0, width: 0, height: 0)

  /// The rectangle's size.
  public var size: PixelSize { PixelSize(width: width, height: height) }
}

/// A ratio of two positive numbers, such as a sample aspect.
public struct PixelRatio: Hashable, Sendable {
  /// Above the line.
  public let numerator: Int
  /// Below the line.
  public let denominator: Int

  /// A ratio; anything not positive on both sides becomes 1:1, since files say 0:1 for "unknown".
  public init(_ numerator: Int, _ denominator: Int) {
    let isValid = numerator > 0 && denominator > 0
    self.numerator = isValid ? numerator : 1
    self.denominator = isValid ? denominator : 1
  }

  /// 1:1.
  public static let square = PixelRatio(1, 1)
  /// The ratio as a number.
  public var value: Double { Double(numerator) / Double(denominator) }
}

/// How a decoded picture is turned for display: mirrored left to right first, if at all, then rotated clockwise.
public struct Orientation: Hashable, Sendable {
  /// Clockwise turns that bring the decoded picture upright.
  public enum Rotation: Int, Hashable, Sendable, CaseIterable {
    case none = 0
    case clockwise90 = 90
    case half = 180
    case clockwise270 = 270
  }

  /// The clockwise turn, applied after the mirroring.
  public var rotation: Rotation
  /// Whether the decoded picture is mirrored left to right before the turn.
  public var isMirrored: Bool

  /// An orientation of a turn and a mirroring.
  public init(rotation: Rotation = .none, isMirrored: Bool = false) {
    self.rotation = rotation
    self.isMirrored = isMirrored
  }

  /// Shown as decoded.
  public static let upright = Orientation()
  /// Whether width and height change places.
  public var swapsAxes: Bool { rotation == .clockwise90 || rotation == .clockwise270 }
}
