import KiteCore
import Wayland
import WaylandToolkit

/// A view inside of any surface: its black surface is a subsurface of that parent, above it.
@MainActor
final class SubsurfaceHost: ViewHost {
  let connection: Connection
  weak var observer: (any ViewHostObserver)?
  private let subsurface: Subsurface
  private let surfaces: ViewSurfaces
  private var frame: PixelRect
  private var isMapped = false
  private var isClosed = false

  /// Takes `subsurface`, which is new and shows nothing yet, for the view.
  init(connection: Connection, subsurface: Subsurface, frame: PixelRect) throws(ToolkitError) {
    self.connection = connection
    self.frame = frame
    self.subsurface = subsurface
    subsurface.setPosition(x: frame.x, y: frame.y)
    subsurface.isSynchronized = false
    surfaces = try ViewSurfaces(connection: connection, background: subsurface.surface)
    subsurface.scale.onChange = { [weak self] in self?.changed() }
    connection.whenLost(self) { [weak self] in self?.unmap() }
  }

  var videoSurface: WlSurface? { isClosed ? nil : surfaces.video }
  var videoViewport: WpViewport? { isClosed ? nil : surfaces.videoViewport }

  var geometry: SurfaceGeometry {
    SurfaceGeometry(
      logicalSize: PixelSize(width: frame.width, height: frame.height), scale120: subsurface.scale.scale120)
  }

  var background: SolidColor {
    get { surfaces.color }
    set {
      surfaces.color = newValue
      if isMapped, !isClosed { draw() }
    }
  }

  var accessibleWindow: AccessibleView.Window? { nil }
  var accessibleFrame: PixelRect { frame }

  func start() { draw() }

  /// Moves and sizes the view in its parent. The place changes with the parent's next commit, which is its owner's.
  func move(to frame: PixelRect) {
    guard !isClosed, frame != self.frame else { return }
    self.frame = frame
    subsurface.setPosition(x: frame.x, y: frame.y)
    draw()
  }

  func place(_ place: PixelRect) {
    guard !isClosed, surfaces.place(place) else { return }
    subsurface.surface.commit()
    connection.flush()
  }

  func resetVideo() {
    if !isClosed { surfaces.resetVideo() }
  }

  func clearPicture() {
    guard !isClosed else { return }
    surfaces.clearPicture()
    connection.flush()
  }

  func clear() {
    if !isClosed { surfaces.forget() }
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    surfaces.end()
    subsurface.close()
    connection.flush()
  }

  private func changed() {
    if isMapped { observer?.hostGeometryChanged() }
  }

  private func draw() {
    let size = LogicalSize(width: frame.width, height: frame.height)
    guard size.width > 0, size.height > 0 else { return unmap() }
    guard (try? surfaces.paintBackground(size)) != nil else { return }
    subsurface.surface.commit()
    connection.flush()
    if isMapped {
      observer?.hostGeometryChanged()
    } else {
      isMapped = true
      observer?.mapped()
    }
  }

  private func unmap() {
    guard isMapped, !isClosed else { return }
    isMapped = false
    observer?.unmapped()
    subsurface.surface.attach(nil, x: 0, y: 0)
    subsurface.surface.commit()
    connection.flush()
  }
}
