import KiteCore
import Wayland
import WaylandToolkit

/// A view inside of any surface: its black surface is a subsurface of that parent, above it.
@MainActor
final class SubsurfaceHost: ViewHost {
  let connection: Connection
  weak var observer: (any ViewHostObserver)?
  private let subsurface: Subsurface
  private var parent: WlSurface { subsurface.parent }
  private let surfaces: ViewSurfaces
  private var frame: PixelRect
  private var isMapped = false
  private var isClosed = false
  /// The resize whose commit by the parent is waited for; 0 for none. Numbered, so that an earlier one's time is no matter.
  private var resize = 0
  private var resizes = 0

  /// How long the parent's commit is waited for: after that the picture goes on by itself, at its new size.
  private static let patience = Duration.milliseconds(250)

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
    let isResize = frame.size != self.frame.size && isMapped && !frame.size.isEmpty
    self.frame = frame
    subsurface.setPosition(x: frame.x, y: frame.y)
    if isResize { beginResize() }
    draw()
  }

  /// What is committed from now on, the pictures too, is shown with the parent's next commit: place, size, background and
  /// picture change in one step with what the parent draws around them.
  private func beginResize() {
    resizes += 1
    resize = resizes
    subsurface.isSynchronized = true
    // By itself too: not every compositor lets a surface wait because the one that it is in does.
    surfaces.isVideoSynchronized = true
    // Asked for with the commit that follows, which is in force once the parent has committed.
    subsurface.surface.frame().onEvent = { [weak self, number = resize] _ in self?.endResize(number) }
    Task { [weak self, number = resize] in
      try? await Task.sleep(for: Self.patience)
      self?.endResize(number)
    }
  }

  /// Pictures don't wait for the parent any longer.
  private func endResize(_ number: Int) {
    guard resize == number, !isClosed else { return }
    endResize()
  }

  /// Before the picture is taken off: it has to go at once, and not with the parent's next commit, since its memory goes too.
  private func endResize() {
    guard resize != 0 else { return }
    resize = 0
    subsurface.isSynchronized = false
    surfaces.isVideoSynchronized = false
    connection.flush()
  }

  /// Puts the view directly above or below another one in the same parent. Whether it is in the same parent.
  func place(above: Bool, _ other: SubsurfaceHost) -> Bool {
    guard !isClosed, !other.isClosed, other !== self, other.connection === connection, parent.isAlive,
      other.parent.id == parent.id
    else { return false }
    if above {
      subsurface.placeAbove(other.subsurface.surface)
    } else {
      subsurface.placeBelow(other.subsurface.surface)
    }
    connection.flush()
    return true
  }

  /// Puts the view below what its parent draws, which has to let it be seen.
  func placeBelowParent() -> Bool {
    guard !isClosed, parent.isAlive else { return false }
    subsurface.placeBelow(parent)
    connection.flush()
    return true
  }

  func place(_ place: PixelRect) {
    guard !isClosed, surfaces.place(place) else { return }
    subsurface.surface.commit()
    connection.flush()
  }

  /// The commit that shows it is the parent's, whose owner knows when.
  func pictureFits() {}

  func resetVideo() {
    if !isClosed { surfaces.resetVideo() }
  }

  func clearPicture() {
    guard !isClosed else { return }
    endResize()
    surfaces.clearPicture()
    connection.flush()
  }

  func clear() {
    guard !isClosed else { return }
    endResize()
    surfaces.forget()
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
