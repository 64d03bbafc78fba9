public import Wayland

/// What people do over a surface, or with the keyboard while it has the focus. Handlers are called on the
/// main actor.
@MainActor
public final class SurfaceInput {
  /// Called for each key that goes down, repeats, or goes up.
  public var onKey: ((KeyEvent) -> Void)?
  /// The keyboard came to the surface (true) or left it.
  public var onFocus: ((Bool) -> Void)?
  /// Called for each step of a pointer's frame.
  public var onPointer: ((PointerEvent) -> Void)?
  /// Called for each touch.
  public var onTouch: ((TouchEvent) -> Void)?
  /// What the pointer looks like over the surface; in force at once.
  public var cursor = Cursor.default { didSet { if cursor != oldValue { onCursorChange?() } } }

  /// The pointer that is over the surface listens here.
  var onCursorChange: (() -> Void)?

  /// Input that nobody listens to yet.
  public init() {}

  func removeHandlers() {
    onKey = nil
    onFocus = nil
    onPointer = nil
    onTouch = nil
    onCursorChange = nil
  }
}

/// Input by surface, without being kept.
struct WeakInput {
  weak var input: SurfaceInput?
}

extension Connection {
  /// Has what happens over `surface` told to `input`, until `removeInput`. `Window` does so for its own
  /// surface.
  public func setInput(_ input: SurfaceInput, for surface: WlSurface) {
    surfaceInputs[ObjectIdentifier(surface)] = WeakInput(input: input)
  }

  /// Nothing is told about `surface` any longer.
  public func removeInput(for surface: WlSurface) {
    surfaceInputs.removeValue(forKey: ObjectIdentifier(surface))?.input?.removeHandlers()
  }

  func input(for surface: WlSurface?) -> SurfaceInput? {
    surface.flatMap { surfaceInputs[ObjectIdentifier($0)]?.input }
  }
}
