import KiteCore
import Wayland
import WaylandToolkit

/// A view inside of any surface: its black surface is a subsurface of that parent, above it.
@MainActor
final class SubsurfaceHost: ViewHost {
  let connection: Connection
  weak var observer: (any ViewHostObserver)?
  private let background: WlSurface
  private let subsurface: WlSubsurface
  private let surfaces: ViewSurfaces
  private let scale: SurfaceScale
  private var frame: PixelRect
  private var isMapped = false
  private var isClosed = false

  init(connection: Connection, parent: WlSurface, frame: PixelRect) throws(ToolkitError) {
    self.connection = connection
    self.frame = frame
    background = try connection.compositor.createSurface()
    subsurface = try connection.subcompositor.getSubsurface(background, parent: parent)
    subsurface.setPosition(x: Int32(clamping: frame.x), y: Int32(clamping: frame.y))
    subsurface.setDesync()
    surfaces = try ViewSurfaces(connection: connection, background: background)
    scale = SurfaceScale(background, of: connection)
    scale.onChange = { [weak self] in self?.changed() }
  }

  var videoSurface: WlSurface? { isClosed ? nil : surfaces.video }
  var videoViewport: WpViewport? { isClosed ? nil : surfaces.videoViewport }

  var geometry: SurfaceGeometry {
    SurfaceGeometry(
      logicalSize: PixelSize(width: frame.width, height: frame.height), scale120: scale.scale120)
  }

  func start() { draw() }

  /// Moves and sizes the view in its parent. The place changes with the parent's next commit, which is its owner's.
  func move(to frame: PixelRect) {
    guard !isClosed, frame != self.frame else { return }
    self.frame = frame
    subsurface.setPosition(x: Int32(clamping: frame.x), y: Int32(clamping: frame.y))
    draw()
  }

  func place(_ place: PixelRect) {
    guard !isClosed, surfaces.place(place) else { return }
    background.commit()
    connection.flush()
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    surfaces.end()
    scale.close()
    if subsurface.isAlive { subsurface.destroy() }
    if background.isAlive { background.destroy() }
    connection.flush()
  }

  private func changed() {
    if isMapped { observer?.hostGeometryChanged() }
  }

  private func draw() {
    let size = LogicalSize(width: frame.width, height: frame.height)
    guard size.width > 0, size.height > 0 else { return unmap() }
    guard (try? surfaces.paintBackground(size)) != nil else { return }
    background.commit()
    connection.flush()
    if isMapped {
      observer?.hostGeometryChanged()
    } else {
      isMapped = true
      observer?.mapped()
    }
  }

  private func unmap() {
    guard isMapped else { return }
    isMapped = false
    observer?.unmapped()
    surfaces.forget()
    background.attach(nil, x: 0, y: 0)
    background.commit()
    connection.flush()
  }
}
