import KiteCore
import Wayland
import WaylandToolkit

/// The two surfaces of a view: one of the background's colour, and above it the one that shows the pictures.
///
/// The background is drawn by the main actor. The other one's content is the renderer's; its place is the
/// background's state, and so the main actor's.
@MainActor
final class ViewSurfaces {
  let connection: Connection
  let background: WlSurface
  let videoViewport: WpViewport?
  private let subsurface: Subsurface
  private let backgroundViewport: WpViewport?
  /// What the background is painted with from the next `paintBackground` on; opaque.
  var color = SolidColor.black
  private var buffer: BackgroundBuffer?
  /// Former buffers that the compositor still holds.
  private var leaving: [BackgroundBuffer] = []
  private var painted: LogicalSize?
  /// Where the video surface was put; nil before it shows its first picture, and after it was taken away.
  private var placed: PixelRect?
  private var isEnded = false

  /// Puts a video surface on `background`, whose owner commits it.
  ///
  /// - Throws: `ToolkitError` when the compositor lacks what this takes.
  init(connection: Connection, background: WlSurface) throws(ToolkitError) {
    self.connection = connection
    self.background = background
    // It takes no input: pointer and touch go to what is below, the window or the app's own surface.
    subsurface = try Subsurface(connection, parent: background)
    // The renderer's commits apply at once, whatever the main thread is doing.
    subsurface.isSynchronized = false
    let viewporter = connection.viewporter
    videoViewport = viewporter?.getViewport(subsurface.surface)
    backgroundViewport = viewporter?.getViewport(background)
  }

  /// What the pictures are shown on.
  var video: WlSurface { subsurface.surface }

  /// Whether the pictures wait for the background's next state. Ended, what waits is shown at once.
  var isVideoSynchronized: Bool {
    get { subsurface.isSynchronized }
    set { subsurface.isSynchronized = newValue }
  }

  /// Brings the background to `size`, without committing it.
  func paintBackground(_ size: LogicalSize) throws(ToolkitError) {
    let old = buffer
    let isCovering = old?.covers(size, with: color) == true
    guard !isEnded, size != painted || !isCovering else { return }
    if !isCovering {
      buffer = try BackgroundBuffer(
        connection: connection, color: color, covering: size, isStretched: backgroundViewport != nil)
    }
    guard let buffer else { return }
    buffer.willCommit()
    background.attach(buffer.wlBuffer, x: 0, y: 0)
    background.damage(x: 0, y: 0, width: .max, height: .max)
    backgroundViewport?.setDestination(
      width: Int32(clamping: size.width), height: Int32(clamping: size.height))
    try markOpaque(size)
    painted = size
    leaving.removeAll { !$0.wlBuffer.isAlive }
    if let old, old !== buffer, !old.leave() { leaving.append(old) }
  }

  /// Moves the video surface; the caller commits the background if this says so.
  ///
  /// The first picture on the surface wants that commit too, wherever it is: Weston takes a subsurface into what it
  /// draws when its parent is committed, and until then answers none of its own commits.
  func place(_ place: PixelRect) -> Bool {
    guard !isEnded, place.x != placed?.x || place.y != placed?.y else { return false }
    placed = place
    subsurface.setPosition(x: place.x, y: place.y)
    return true
  }

  /// The background shows nothing any longer: it is painted anew when it is shown again.
  func forget() {
    painted = nil
    // The last picture must not come back with the parent.
    clearPicture()
  }

  /// Takes the picture off the video surface.
  func clearPicture() {
    placed = nil
    guard !isEnded, video.isAlive else { return }
    video.attach(nil, x: 0, y: 0)
    video.commit()
  }

  /// Takes back what a renderer said of the video surface, for the next one that begins with nothing said. In force with
  /// that one's first commit.
  func resetVideo() {
    guard !isEnded, video.isAlive else { return }
    videoViewport?.setSource(x: -1, y: -1, width: -1, height: -1)
    videoViewport?.setDestination(width: -1, height: -1)
    if video.supports(3) { video.setBufferScale(1) }
    if video.supports(2) { video.setBufferTransform(.normal) }
  }

  /// Destroys all but the background surface, which is its owner's. Null is attached first: some compositors give no
  /// buffer back when a role just ends.
  ///
  /// - Parameter keepsBackground: the background is still shown: what is on it stays until the action that is returned.
  @discardableResult
  func end(keepsBackground: Bool = false) -> (() -> Void)? {
    guard !isEnded else { return nil }
    clearPicture()
    isEnded = true
    if let viewport = videoViewport, viewport.isAlive { viewport.destroy() }
    subsurface.close()
    let rest = { [backgroundViewport, buffers = leaving + (buffer.map { [$0] } ?? [])] in
      if let viewport = backgroundViewport, viewport.isAlive { viewport.destroy() }
      for buffer in buffers { buffer.destroy() }
    }
    buffer = nil
    leaving.removeAll()
    if keepsBackground { return rest }
    rest()
    return nil
  }

  private func markOpaque(_ size: LogicalSize) throws(ToolkitError) {
    let region = try connection.compositor.createRegion()
    region.add(x: 0, y: 0, width: Int32(clamping: size.width), height: Int32(clamping: size.height))
    background.setOpaqueRegion(region)
    region.destroy()
  }
}
