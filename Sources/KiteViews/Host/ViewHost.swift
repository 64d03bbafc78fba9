import KiteCore
import Wayland
import WaylandToolkit

/// What gives a view a place: a window, or a subsurface of any parent.
///
/// A host owns the surfaces; the view and its renderers use them between `mapped` and `unmapped`.
@MainActor
protocol ViewHost: AnyObject {
  var connection: Connection { get }
  /// The surface that shows the pictures, above the black one; nil after `close`.
  var videoSurface: WlSurface? { get }
  /// Its viewport; nil where the compositor has no viewporter.
  var videoViewport: WpViewport? { get }
  /// The view's size, scale and visibility now; the scale mode in it means nothing.
  var geometry: SurfaceGeometry { get }
  /// The window it is in, for assistive technology; nil where it is not known.
  var accessibleWindow: AccessibleView.Window? { get }
  /// The view's place in the window or the parent, in logical pixels.
  var accessibleFrame: PixelRect { get }
  /// Hears of what happens to the surfaces.
  var observer: (any ViewHostObserver)? { get set }

  /// The colour behind the pictures, opaque; black at first. Live.
  var background: SolidColor { get set }

  /// Asks for the place. `mapped` follows when it is there.
  func start()
  /// Moves and sizes the view in its parent; nothing where the host decides that.
  func move(to frame: PixelRect)
  /// Moves the video surface to `place` of the view, in logical pixels.
  func place(_ place: PixelRect)
  /// The picture that was committed last is made for the view's size and scale now.
  func pictureFits()
  /// Takes back what the last renderer said of the video surface, for the next one.
  func resetVideo()
  /// Takes the last picture off the video surface; the background shows there.
  func clearPicture()
  /// The same because the surfaces go: renderers give the picture's memory away after this.
  func clear()
  /// Destroys the surfaces. Idempotent.
  func close()
}

/// The view's ear to its host.
@MainActor
protocol ViewHostObserver: AnyObject {
  /// The surfaces are up and a buffer is on the black one.
  func mapped()
  /// The surfaces are about to go.
  func unmapped()
  /// Size, scale or visibility are others.
  func hostGeometryChanged()
  /// Whether a picture is shown that its renderer makes anew for another geometry.
  var hasLivePicture: Bool { get }
  /// The window has got the keyboard, or lost it.
  func hostActivityChanged()
}
