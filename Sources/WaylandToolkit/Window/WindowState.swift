internal import Wayland

/// How the compositor shows a window.
public struct WindowState: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32
  /// Wraps bits of the states below.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Fills the space for windows.
  public static let maximized = WindowState(rawValue: 1 << 1)
  /// Fills the output.
  public static let fullscreen = WindowState(rawValue: 1 << 2)
  /// The user is dragging an edge.
  public static let resizing = WindowState(rawValue: 1 << 3)
  /// Looks active; usually it has the keyboard.
  public static let activated = WindowState(rawValue: 1 << 4)
  /// Its left edge touches another window or the screen's edge.
  public static let tiledLeft = WindowState(rawValue: 1 << 5)
  /// Its right edge touches another window or the screen's edge.
  public static let tiledRight = WindowState(rawValue: 1 << 6)
  /// Its top edge touches another window or the screen's edge.
  public static let tiledTop = WindowState(rawValue: 1 << 7)
  /// Its bottom edge touches another window or the screen's edge.
  public static let tiledBottom = WindowState(rawValue: 1 << 8)
  /// Can't be seen; drawing is a waste. Only from `xdg_toplevel` version 6 on.
  public static let suspended = WindowState(rawValue: 1 << 9)

  /// Any of the tiled edges.
  public static let tiled: WindowState = [.tiledLeft, .tiledRight, .tiledTop, .tiledBottom]

  /// The states of a configure event: the wire's numbers are the bits; what isn't known is left out.
  init(wire: [UInt8]) {
    let known: ClosedRange<UInt32> = 1...9
    rawValue = wire.wireValues(as: UInt32.self).filter(known.contains).reduce(0) { $0 | 1 << $1 }
  }
}
