/// A size in surface-local (logical) pixels.
public struct SurfaceSize: Hashable, Sendable {
  public var width: Int
  public var height: Int

  /// A size of `width` × `height`.
  public init(_ width: Int, _ height: Int) {
    self.width = width
    self.height = height
  }
}

/// A rectangle of whole pixels.
public struct Box: Hashable, Sendable {
  public var x: Int
  public var y: Int
  public var width: Int
  public var height: Int

  /// A rectangle at (`x`, `y`).
  public init(_ x: Int, _ y: Int, _ width: Int, _ height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Whether it covers a surface of `size` whole.
  public func covers(_ size: SurfaceSize) -> Bool {
    x <= 0 && y <= 0 && x + width >= size.width && y + height >= size.height
  }
}

/// The part of a buffer that a viewport shows, in pixels of the turned and scaled buffer.
public struct SourceRect: Hashable, Sendable {
  public var x: Double
  public var y: Double
  public var width: Double
  public var height: Double

  /// A rectangle at (`x`, `y`).
  public init(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

/// `wl_output.transform`: turned counter-clockwise by so many quarters after mirroring.
public struct BufferTransform: RawRepresentable, Hashable, Sendable {
  /// The protocol's number, 0 to 7.
  public let rawValue: UInt32
  /// Wraps the protocol's number.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// As it is.
  public static let normal = BufferTransform(rawValue: 0)

  var swapsSides: Bool { rawValue & 1 == 1 }
  var isMirrored: Bool { rawValue & 4 != 0 }
  var quarters: UInt32 { rawValue & 3 }
}

/// What is wrong with the size of a surface's content, as the protocols name it.
enum SizeError: Error {
  /// `wl_surface.invalid_size`.
  case notMultipleOfScale
  /// `wp_viewport.bad_size`.
  case badSize
  /// `wp_viewport.out_of_buffer`.
  case outOfBuffer
}

/// How a buffer becomes a surface's content.
struct ContentGeometry: Hashable {
  var bufferWidth: Int
  var bufferHeight: Int
  var scale = 1
  var transform = BufferTransform.normal
  var source: SourceRect?
  var destination: SurfaceSize?

  /// The buffer's size after scale and transform.
  var turnedSize: (width: Double, height: Double) {
    let width = Double(bufferWidth) / Double(scale)
    let height = Double(bufferHeight) / Double(scale)
    return transform.swapsSides ? (height, width) : (width, height)
  }

  /// The surface's size.
  func surfaceSize() throws(SizeError) -> SurfaceSize {
    if source == nil, bufferWidth % scale != 0 || bufferHeight % scale != 0 { throw .notMultipleOfScale }
    let turned = turnedSize
    if let source {
      // The wire's numbers have 8 bits behind the point: sums of them are exact in a Double.
      guard source.x + source.width <= turned.width, source.y + source.height <= turned.height else {
        throw .outOfBuffer
      }
    }
    if let destination { return destination }
    if let source {
      guard source.width.rounded() == source.width, source.height.rounded() == source.height else {
        throw .badSize
      }
      return SurfaceSize(Int(source.width), Int(source.height))
    }
    return SurfaceSize(Int(turned.width), Int(turned.height))
  }

  /// The buffer's pixel that a point of the surface shows, as fractions 0…1 of the surface.
  func bufferPixel(u: Double, v: Double) -> (x: Int, y: Int) {
    let turned = turnedSize
    let shown = source ?? SourceRect(0, 0, turned.width, turned.height)
    // In fractions of the turned buffer.
    let x = (shown.x + u * shown.width) / turned.width
    let y = (shown.y + v * shown.height) / turned.height
    let (bufferX, bufferY) = untransformed(x, y)
    func clamp(_ value: Double, _ count: Int) -> Int { max(0, min(count - 1, Int(value * Double(count)))) }
    return (clamp(bufferX, bufferWidth), clamp(bufferY, bufferHeight))
  }

  /// Fractions of the shown picture as fractions of the buffer. The transform says what was done to the buffer's
  /// content: the picture was mirrored, then turned counter-clockwise.
  private func untransformed(_ x: Double, _ y: Double) -> (Double, Double) {
    let mirrored = transform.isMirrored ? 1 - x : x
    // Where the point of the picture went when the content was turned counter-clockwise.
    return switch transform.quarters {
    case 1: (y, 1 - mirrored)
    case 2: (1 - mirrored, 1 - y)
    case 3: (1 - y, mirrored)
    default: (mirrored, y)
    }
  }
}
