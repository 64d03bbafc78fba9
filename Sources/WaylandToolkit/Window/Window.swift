public import Wayland

/// A window of the desktop (`xdg_toplevel`).
///
/// Make it, set its `content` and handlers, then `show()`. It is configured when the compositor has answered;
/// from then on the content draws. It keeps its connection, but nothing keeps the window: hold it.
@MainActor
public final class Window {
  /// The connection it belongs to.
  public let connection: Connection
  /// What is drawn on. Its content belongs to `content`, its events and its commits to the window.
  public let surface: WlSurface
  /// Its scale and outputs. `scale.onChange` is taken.
  public let scale: SurfaceScale
  /// Keys, pointer and touch over the window.
  public let input = SurfaceInput()
  /// Draws the window; not kept. Assigning one draws it.
  public weak var content: (any WindowContent)? {
    didSet {
      if content != nil, content !== oldValue { endLeftovers() }
      setNeedsDraw()
    }
  }
  /// The user wants the window closed. Nothing happens by itself: call `close()`.
  public var onCloseRequest: (() -> Void)?
  /// Called after the content was drawn for a geometry that differs from the one before.
  public var onGeometryChange: ((WindowGeometry) -> Void)?
  /// Called when the window came to an output or left one, after `scale.outputs` says so.
  public var onOutputsChange: (() -> Void)?
  /// The geometry that the content was last drawn for; nil while the window is not configured.
  public private(set) var geometry: WindowGeometry?
  /// Who draws the title bar; nil while the compositor has not said.
  public private(set) var decoration: Decoration?

  /// Who draws a window's title bar.
  public enum Decoration: Sendable {
    /// The compositor.
    case server
    /// Nobody: the window is a plain rectangle.
    case none
  }

  var configure: WindowConfigure
  var role: WindowRole?
  var wishes: WindowWishes
  var hold: CommitHold?
  var holds = 0
  private var leftovers: (() -> Void)?
  private var isUpdatePending = false
  private(set) var isClosed = false

  /// Makes a window that is not shown yet.
  ///
  /// - Parameters:
  ///   - title: for title bars and lists of windows.
  ///   - appID: the name of the program's desktop file, such as `org.example.Player`.
  ///   - size: in logical pixels, for while the compositor leaves the choice.
  ///   - minimumSize: in logical pixels, below which the user can't make it smaller.
  /// - Throws: `ToolkitError.missingGlobal` without `wl_compositor` or `xdg_wm_base`; `connection` on a dead
  ///   one.
  public init(
    _ connection: Connection, title: String, appID: String, size: LogicalSize,
    minimumSize: LogicalSize = LogicalSize(width: 64, height: 36)
  ) throws(ToolkitError) {
    _ = try connection.windowShell
    self.connection = connection
    surface = try connection.compositor.createSurface()
    scale = SurfaceScale(surface, of: connection)
    configure = WindowConfigure(size: size, minimumSize: minimumSize)
    wishes = WindowWishes(title: title, appID: appID, minimumSize: minimumSize.usable)
    scale.onChange = { [weak self] in self?.scaleChanged() }
    connection.setInput(input, for: surface)
    connection.whenLost(self) { [weak self] in self?.hide() }
  }

  isolated deinit { close() }

  /// Whether it is shown or about to be.
  public var isShown: Bool { configure.isShown && !isClosed }

  /// Asks the compositor to show the window. Does not wait; nothing happens when it is shown already.
  ///
  /// - Throws: `ToolkitError.connection` on a dead connection, `closed` after `close()`.
  public func show() throws(ToolkitError) {
    guard !isClosed else { throw .closed }
    guard !configure.isShown else { return }
    let shell = try connection.windowShell
    role = WindowRole(
      shell, surface, wishes, decorations: connection.decorations,
      onEvent: { [weak self] in self?.receive($0) })
    guard case .commitEmpty = configure.show() else { return }
    surface.commit()
    // Not with the next turn of the loop: what the program does until then costs no time this way.
    connection.flush()
  }

  /// Takes the window off the screen; `show()` brings it back. Idempotent.
  public func hide() {
    guard configure.isShown else { return }
    // First, so that a content that hides the window once more changes nothing.
    configure.hide()
    content?.windowWillHide(self)
    endRole()
    surface.attach(nil, x: 0, y: 0)
    surface.commit()
    endLeftovers()
  }

  /// Ends the window and its surface. Idempotent; safe inside its own events.
  public func close() {
    guard !isClosed else { return }
    isClosed = true
    onCloseRequest = nil
    onGeometryChange = nil
    let wasShown = configure.isShown
    configure.hide()
    if wasShown { content?.windowWillHide(self) }
    endRole()
    endLeftovers()
    connection.removeInput(for: surface)
    scale.close()
    if surface.isAlive { surface.destroy() }
    connection.flush()
  }

  /// For a content that goes while the window stays: its last buffer and the objects of the surface (a viewport) live on
  /// until `end` is called, when the window has another content, is hidden, or closed.
  public func leave(_ end: @escaping () -> Void) {
    endLeftovers()
    leftovers = end
  }

  /// Ends what a former content left: before objects are made of which a surface has only one. Idempotent.
  public func endLeftovers() {
    let end = leftovers
    leftovers = nil
    end?()
  }

  /// Asks for `WindowContent.window(_:draw:)` and a commit before the next flush. Many calls count once; none
  /// while the window isn't configured.
  public func setNeedsDraw() {
    configure.invalidate()
    scheduleUpdate()
  }

  private func endRole() {
    configure.hide()
    hold = nil
    role?.end()
    role = nil
    geometry = nil
    decoration = nil
  }

  private func receive(_ event: WindowRole.Event) {
    switch event {
    case .toplevel(.configure(let width, let height, let states)):
      configure.toplevelConfigured(width: width, height: height, state: WindowState(wire: states))
    case .toplevel(.configureBounds(let width, let height)):
      configure.boundsConfigured(width: width, height: height)
    case .toplevel(.close): onCloseRequest?()
    case .toplevel(.wmCapabilities): break
    case .decoration(let mode): decoration = mode == .serverSide ? .server : Decoration.none
    case .configured(let serial):
      configure.surfaceConfigured(serial)
      scheduleUpdate()
    }
  }

  private func scaleChanged() {
    if let geometry, geometry.scale120 != scale.scale120 { setNeedsDraw() }
    onOutputsChange?()
  }

  func scheduleUpdate() {
    guard !isUpdatePending, !isClosed else { return }
    isUpdatePending = true
    connection.beforeNextFlush { [weak self] in self?.update() }
  }

  /// Answers all configures since the last time at once.
  private func update() {
    isUpdatePending = false
    // One geometry after the other: its end asks again.
    guard hold == nil else { return }
    guard case .draw(let configuration, let serial) = configure.next(), let role else { return }
    if let serial { role.ack(serial) }
    let new = WindowGeometry(
      size: configuration.size, scale120: scale.scale120, state: configuration.state)
    let old = geometry
    geometry = new
    if old?.size != new.size { role.setGeometry(new.size) }
    content?.window(self, draw: new)
    // The content may have hidden or closed the window.
    guard configure.isConfigured, !isClosed else { return }
    if hold == nil { surface.commit() }
    if old != new { onGeometryChange?(new) }
  }
}
