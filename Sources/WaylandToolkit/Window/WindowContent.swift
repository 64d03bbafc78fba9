/// What a window's content is drawn for.
public struct WindowGeometry: Hashable, Sendable {
  /// The window's size in logical pixels; both sides positive.
  public var size: LogicalSize
  /// Physical pixels per logical pixel in 120ths: 120 is 1.
  public var scale120: Int
  /// How the compositor shows the window.
  public var state: WindowState
}

/// What fills a window. Called on the main actor.
@MainActor
public protocol WindowContent: AnyObject {
  /// Brings the window's surface to a new geometry: attach a buffer, set the viewport, damage — but don't
  /// commit.
  ///
  /// The window acked the geometry before and commits its surface after this returns, so that both change in
  /// one step. Subsurfaces that are to change with it are synchronized and commit in here, or later and
  /// `Window.holdCommit(atMost:onCommit:)` makes the window wait for them. Called once for
  /// many configures that came together, for a new scale, and after `Window.setNeedsDraw()`; a geometry may
  /// come twice.
  func window(_ window: Window, draw geometry: WindowGeometry)

  /// The window is about to be hidden or closed, or its connection died: after the return its surface shows
  /// nothing any longer, or ends. Whoever uses the surface on another thread must have let go of it by then.
  func windowWillHide(_ window: Window)
}
