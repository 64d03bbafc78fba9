/// A commit that gave a window that was on the screen another size, and what was to be seen in it from then on.
public struct WindowResize: Hashable, Sendable {
  /// The window's size, in logical pixels.
  public let size: SurfaceSize
  /// The subsurfaces that show something: place and size in the window, the lowest first.
  public let parts: [Box]
}
