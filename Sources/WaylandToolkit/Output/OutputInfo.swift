/// How a monitor's picture is turned, counter-clockwise in steps of 90°, and mirrored:
/// `wl_output.transform`'s numbers.
public struct OutputTransform: RawRepresentable, Hashable, Sendable {
  /// 0…3: turned by so many quarters; 4…7: mirrored left to right, then turned.
  public let rawValue: Int
  /// Wraps the protocol's number.
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// Neither turned nor mirrored.
  public static let normal = OutputTransform(rawValue: 0)
  /// Whether width and height change places.
  public var swapsSides: Bool { rawValue & 1 == 1 }
}

/// What a monitor says of itself.
public struct OutputInfo: Hashable, Sendable {
  /// The connector or another short name, such as `DP-1`; empty before `wl_output` version 4.
  public var name = ""
  /// A text for people; empty before `wl_output` version 4.
  public var description = ""
  /// Maker and model as the monitor states them.
  public var make = ""
  /// Maker and model as the monitor states them.
  public var model = ""
  /// The current mode in physical pixels, before the transform; 0 when the compositor doesn't say.
  public var modeWidth = 0
  /// The current mode in physical pixels, before the transform; 0 when the compositor doesn't say.
  public var modeHeight = 0
  /// Pictures per 1,000 seconds (mHz); 0 when the compositor doesn't say, as virtual outputs do.
  public var refresh = 0
  /// The scale that the compositor draws at, rounded up to a whole number.
  public var scale = 1
  /// Millimetres; 0 when unknown.
  public var physicalWidth = 0
  /// Millimetres; 0 when unknown.
  public var physicalHeight = 0
  /// How the picture is turned.
  public var transform = OutputTransform.normal
}
