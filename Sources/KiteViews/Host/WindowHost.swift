import KiteCore
import Wayland
import WaylandToolkit

/// A view that is all of a window's content: the window's own surface is its black one.
@MainActor
final class WindowHost: ViewHost {
  let connection: Connection
  weak var observer: (any ViewHostObserver)?
  private let window: Window
  private let surfaces: ViewSurfaces
  private var isMapped = false
  private(set) var geometry = SurfaceGeometry(logicalSize: .zero)
  private var isClosed = false

  init(_ window: Window) throws(ToolkitError) {
    self.window = window
    connection = window.connection
    surfaces = try ViewSurfaces(connection: window.connection, background: window.surface)
  }

  var videoSurface: WlSurface? { isClosed ? nil : surfaces.video }
  var videoViewport: WpViewport? { isClosed ? nil : surfaces.videoViewport }

  func start() { window.content = self }

  func move(to frame: PixelRect) {}

  func place(_ place: PixelRect) {
    if !isClosed, surfaces.place(place) { window.setNeedsDraw() }
  }

  func clear() {
    if !isClosed { surfaces.forget() }
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    if window.content === self { window.content = nil }
    surfaces.end()
    connection.flush()
  }
}

extension WindowHost: WindowContent {
  func window(_ window: Window, draw geometry: WindowGeometry) {
    guard !isClosed else { return }
    // Without a black buffer the window can't appear: the connection is dead, or about to be.
    guard (try? surfaces.paintBackground(geometry.size)) != nil else { return }
    let new = SurfaceGeometry(
      logicalSize: PixelSize(width: geometry.size.width, height: geometry.size.height),
      scale120: geometry.scale120, isVisible: !geometry.state.contains(.suspended))
    let isChanged = new != self.geometry
    self.geometry = new
    if !isMapped {
      isMapped = true
      observer?.mapped()
    } else if isChanged {
      observer?.hostGeometryChanged()
    }
  }

  func windowWillHide(_ window: Window) {
    guard isMapped else { return }
    isMapped = false
    observer?.unmapped()
  }
}
