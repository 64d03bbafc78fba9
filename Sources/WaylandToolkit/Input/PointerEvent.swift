/// A place on a surface, in logical pixels with fractions.
public struct SurfacePoint: Hashable, Sendable {
  /// From the left edge.
  public var x: Double
  /// From the top edge.
  public var y: Double

  /// A place at `x`, `y`.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// How far a wheel or a finger scrolled within one frame.
public struct ScrollEvent: Hashable, Sendable {
  /// Where it comes from.
  public enum Source: Hashable, Sendable { case unknown, wheel, finger, continuous, wheelTilt }

  /// In logical pixels, to the right.
  public var x = 0.0
  /// In logical pixels, downwards.
  public var y = 0.0
  /// In 120ths of a wheel's click, to the right; 0 for what has no clicks.
  public var steps120X = 0
  /// In 120ths of a wheel's click, downwards; 0 for what has no clicks.
  public var steps120Y = 0
  /// Where it comes from.
  public var source = Source.unknown
  /// The finger was lifted: the movement ends here, and kinetic scrolling may begin.
  public var isEnd = false
}

/// What a pointer did over a surface.
public enum PointerEvent: Hashable, Sendable {
  /// It came to the surface.
  case entered(SurfacePoint)
  /// It moved.
  case moved(SurfacePoint)
  /// A button went down or up; `code` is a `BTN_…` of linux/input-event-codes.h.
  case button(code: UInt32, isPressed: Bool, serial: UInt32, at: SurfacePoint)
  /// Something scrolled.
  case scrolled(ScrollEvent)
  /// It left the surface.
  case left

  /// The code of a mouse's left button.
  public static let leftButton: UInt32 = 0x110
  /// The code of a mouse's right button.
  public static let rightButton: UInt32 = 0x111
  /// The code of a mouse's middle button.
  public static let middleButton: UInt32 = 0x112
}

/// What a finger did on a surface.
public enum TouchEvent: Hashable, Sendable {
  /// Finger `id` came down.
  case down(id: Int, at: SurfacePoint, serial: UInt32)
  /// Finger `id` moved.
  case moved(id: Int, to: SurfacePoint)
  /// Finger `id` was lifted.
  case up(id: Int)
  /// The compositor took the touches for itself: forget them.
  case cancelled
}

/// What a pointer looks like.
public enum Cursor: Hashable, Sendable {
  /// The usual arrow.
  case `default`
  /// A hand, over what can be clicked.
  case pointer
  /// No cursor, as over a playing video.
  case hidden
}
