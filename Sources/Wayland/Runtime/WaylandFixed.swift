/// A number with 24 bits before the point and 8 behind it, as the wire carries it.
public struct WaylandFixed: Hashable, Sendable {
  /// The number times 256.
  public var rawValue: Int32

  /// Wraps a value of the wire.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The nearest value that the wire can carry; what is too large becomes the largest, not-a-number becomes
  /// 0.
  public init(_ value: Double) {
    let scaled = (value * 256).rounded()
    rawValue = scaled.isNaN ? 0 : Int32(max(Double(Int32.min), min(Double(Int32.max), scaled)))
  }

  /// The value, exactly.
  public var doubleValue: Double { Double(rawValue) / 256 }
}

extension WaylandFixed: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  public init(integerLiteral value: Int32) { self.init(Double(value)) }
  public init(floatLiteral value: Double) { self.init(value) }
}
