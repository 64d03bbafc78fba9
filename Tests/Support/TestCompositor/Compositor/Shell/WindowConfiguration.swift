/// What a configure tells a window.
public struct WindowConfiguration: Hashable, Sendable {
  /// States of a window; the wire's numbers are the bits.
  public struct States: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32
    /// Wraps bits of the states below.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public static let maximized = States(rawValue: 1 << 1)
    public static let fullscreen = States(rawValue: 1 << 2)
    public static let resizing = States(rawValue: 1 << 3)
    public static let activated = States(rawValue: 1 << 4)
    /// Since version 6; an older window is not told.
    public static let suspended = States(rawValue: 1 << 9)

    /// The array on the wire.
    var wire: [UInt8] {
      (1..<32).filter { rawValue & 1 << $0 != 0 }.flatMap { state in
        withUnsafeBytes(of: UInt32(state)) { [UInt8]($0) }
      }
    }
  }

  /// Logical pixels; 0 leaves the choice to the client.
  public var width: Int
  /// Logical pixels; 0 leaves the choice to the client.
  public var height: Int
  /// How the window is shown.
  public var states: States = .activated
  /// The largest size that makes sense, in logical pixels; nil says nothing.
  public var bounds: (width: Int, height: Int)? {
    get { boundsWidth > 0 ? (boundsWidth, boundsHeight) : nil }
    set { (boundsWidth, boundsHeight) = newValue ?? (0, 0) }
  }
  /// Whether the compositor draws the title bar, for clients that ask.
  public var hasServerDecoration = true
  private var boundsWidth = 0
  private var boundsHeight = 0

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  mutating func set(_ state: States, _ isOn: Bool, size: (width: Int, height: Int)) {
    if isOn { states.insert(state) } else { states.remove(state) }
    (width, height) = size
  }
}
