/// A size in logical (surface-local) pixels.
public struct LogicalSize: Hashable, Sendable {
  /// From left to right.
  public var width: Int
  /// From top to bottom.
  public var height: Int

  /// A size of `width` × `height`.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The wire takes 32 bits; nothing that can be shown is larger than this.
  static let limit = 65_535

  /// The size with both sides between one pixel and what the wire takes.
  var usable: LogicalSize {
    LogicalSize(width: min(max(width, 1), Self.limit), height: min(max(height, 1), Self.limit))
  }
}
