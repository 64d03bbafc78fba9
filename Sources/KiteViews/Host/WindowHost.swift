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
  /// The window's commit waits for the picture of its new size.
  private var isResizing = false
  private var isActive = false
  private var isClosed = false

  /// How long the picture of a new size is waited for, in which all of a frame's steps fit: its turn at 24 a second, and its
  /// conversion at 4K. After that the window changes without it.
  var patience = Duration.milliseconds(60)

  /// Takes `window`; a view that filled it is then nowhere.
  init(_ window: Window) throws(ToolkitError) {
    (window.content as? WindowHost)?.evict()
    window.endLeftovers()
    self.window = window
    connection = window.connection
    surfaces = try ViewSurfaces(connection: window.connection, background: window.surface)
  }

  var videoSurface: WlSurface? { isClosed ? nil : surfaces.video }
  var videoViewport: WpViewport? { isClosed ? nil : surfaces.videoViewport }

  var background: SolidColor {
    get { surfaces.color }
    set {
      surfaces.color = newValue
      if isMapped { window.setNeedsDraw() }
    }
  }

  func start() {
    window.content = self
    // In a window that is there already the view appears with this turn, not with the next.
    guard let geometry = window.geometry else { return }
    window(window, draw: geometry)
    window.surface.commit()
    connection.flush()
  }

  /// Whether this is the view's place in `window`.
  func fills(_ window: Window) -> Bool { !isClosed && self.window === window }

  func move(to frame: PixelRect) {}

  func place(_ place: PixelRect) {
    if !isClosed, surfaces.place(place) { window.setNeedsDraw() }
  }

  func pictureFits() {
    if isResizing { window.releaseCommit() }
  }

  /// The pictures that are committed from now on are shown with the window's commit, which waits for the first of the new
  /// size: background, place and picture change in one step.
  private func beginResize() {
    isResizing = true
    surfaces.isVideoSynchronized = true
    window.holdCommit(atMost: patience) { [weak self] in self?.endResize() }
  }

  /// The pictures don't wait for the window any longer.
  private func endResize() {
    guard isResizing else { return }
    isResizing = false
    if !isClosed { surfaces.isVideoSynchronized = false }
  }

  func resetVideo() {
    if !isClosed { surfaces.resetVideo() }
  }

  func clearPicture() {
    guard !isClosed else { return }
    leaveResize()
    surfaces.clearPicture()
    connection.flush()
  }

  func clear() {
    guard !isClosed else { return }
    leaveResize()
    surfaces.forget()
  }

  /// Before the picture is taken off: it has to go at once, since its memory goes too.
  private func leaveResize() {
    guard isResizing else { return }
    window.releaseCommit()
    endResize()
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    if window.content === self { window.content = nil }
    let rest = surfaces.end(keepsBackground: window.isShown)
    if let rest { window.leave(rest) }
    connection.flush()
  }

  private func evict() {
    windowWillHide(window)
    close()
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
    let old = self.geometry
    let isChanged = new != old
    self.geometry = new
    if !isMapped {
      isMapped = true
      observer?.mapped()
    } else if isChanged {
      if new.isVisible, new.logicalSize != old.logicalSize || new.scale120 != old.scale120,
        observer?.hasLivePicture == true
      {
        beginResize()
      }
      observer?.hostGeometryChanged()
    }
    let isActive = geometry.state.contains(.activated)
    guard isActive != self.isActive else { return }
    self.isActive = isActive
    observer?.hostActivityChanged()
  }

  var accessibleWindow: AccessibleView.Window? {
    AccessibleView.Window(id: ObjectIdentifier(window), title: window.title, isActive: isActive)
  }

  var accessibleFrame: PixelRect {
    PixelRect(x: 0, y: 0, width: geometry.logicalSize.width, height: geometry.logicalSize.height)
  }

  func windowWillHide(_ window: Window) {
    guard isMapped else { return }
    isMapped = false
    observer?.unmapped()
  }
}
