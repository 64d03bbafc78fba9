public import KiteCore
public import Wayland
public import WaylandToolkit

/// A black, surface-backed view that shows a player's pictures.
///
/// Give it a place (a window, or any parent surface) and a player; it does the rest. The player is never owned:
/// opening, playing and closing it stay the caller's, and playback never depends on the view.
///
/// ```swift
/// let window = try Window(connection, title: "Film", appID: "org.example.Film")
/// let view = try KitePlayerView(in: window)
/// view.player = player
/// ```
///
/// Every member belongs to the main actor. Pictures come from a thread of their own: a main thread that stalls does not
/// stall the picture.
@MainActor
public final class KitePlayerView {
  private(set) var host: any ViewHost
  let ledger = FrameLedger()
  var pairing = Pairing()
  private(set) var isClosed = false
  let displayHold: ViewDisplayHold
  let accessibility: ViewAccessibility
  private let follower = PlayerFollower()

  /// A view that fills `window`, whose content it becomes. A view that filled the window before is then nowhere, as after
  /// the window's end.
  ///
  /// - Throws: `ToolkitError` when the compositor lacks what a view can't do without, or the connection is dead.
  public convenience init(in window: Window) throws(ToolkitError) {
    try self.init(host: WindowHost(window))
  }

  /// A view inside of `parent`, as a subsurface above it. It appears with the parent's next commit, which is its owner's.
  ///
  /// - Parameters:
  ///   - connection: the one that `parent` was made on.
  ///   - parent: the surface to show in. Close the view, or move it, before the parent ends.
  ///   - frame: the view's place in the parent, in the parent's logical pixels.
  /// - Throws: `ToolkitError` when the compositor lacks what a view can't do without, or the connection is dead.
  public convenience init(
    connection: Connection, parent: WlSurface, frame: PixelRect
  ) throws(ToolkitError) {
    let subsurface = try Subsurface(connection, parent: parent)
    try self.init(host: SubsurfaceHost(connection: connection, subsurface: subsurface, frame: frame))
  }

  /// A view inside of a surface that other code made, such as GTK or SDL: `parent` is its `wl_surface *`, and
  /// `connection` was made by `Connection.join(foreign:)` with its `wl_display *`. Otherwise like the above.
  public convenience init(
    connection: Connection, foreignParent parent: UnsafeMutableRawPointer, frame: PixelRect
  ) throws(ToolkitError) {
    let subsurface = try Subsurface(connection, foreignParent: parent)
    try self.init(host: SubsurfaceHost(connection: connection, subsurface: subsurface, frame: frame))
  }

  init(host: any ViewHost) {
    self.host = host
    displayHold = ViewDisplayHold(host: host)
    accessibility = ViewAccessibility(host: host)
    host.observer = self
    follower.onState = { [weak self] in self?.playerDid($0) }
    PlayerViewDefaults.observers[ObjectIdentifier(self)] = { [weak self] in self?.factoryMayHaveChanged() }
    factoryMayHaveChanged()
    host.start()
  }

  isolated deinit { close() }

  // MARK: Members

  /// Whose pictures are shown. Never owned. Assigning another one ends the old pairing first; nil ends it. The last
  /// picture stays, unless `clearsOnPlayerChange`.
  public var player: (any Player)? {
    didSet {
      // A closed view keeps nothing.
      guard !isClosed else {
        player = nil
        return
      }
      playerChanged()
      // What was called meanwhile may have set yet another one.
      if player !== oldValue {
        accessibility.playerChanged(player)
        follower.follow(player)
      }
    }
  }

  /// Makes the view's renderers; nil for `PlayerViewDefaults.rendererFactory`. Assigning a different one rebuilds at
  /// once; the same one does nothing.
  public var rendererFactory: (any RendererFactory)? {
    didSet { factoryMayHaveChanged() }
  }

  /// Whether kernel buffers may be used; false asks for `wl_shm`. Applies from the next renderer on.
  public var prefersDmabuf = true

  /// Whether the display is kept from sleeping while the view is seen and its player plays video. Live.
  ///
  /// A paused or ended player and one that plays sound alone let it sleep; waiting for data, and the join between two
  /// items, do so after two seconds. Nobody else's wish is touched.
  public var keepsDisplayAwake = true {
    didSet { displayHold.handle(.wished(keepsDisplayAwake)) }
  }

  /// How pictures are fitted into the view.
  public var scaleMode = ScaleMode.fit {
    didSet {
      guard scaleMode != oldValue else { return }
      geometryChanged()
    }
  }

  /// The colour of the view where no picture is: all of it before the first one, the bars beside one that does not fill
  /// it. Black at first; taken as opaque. Live, also under a paused picture.
  public var background = SolidColor.black {
    didSet {
      guard background != oldValue, !isClosed else { return }
      host.background = background.opaque
      geometryChanged()
    }
  }

  /// Whether the former player's last picture is taken off the view when `player` becomes another one or nil. Otherwise it
  /// stays until the next one's first picture.
  public var clearsOnPlayerChange = false

  /// Moves and sizes a view that is inside of another surface, in that one's logical pixels; an empty frame hides it. The
  /// place changes with the parent's next commit, which is its owner's. In a window: nothing, the view fills it.
  public func move(to frame: PixelRect) {
    host.move(to: frame)
  }

  /// Whether a picture is on the visible surface. Evidence of presentation, not of playback: it stays true without a
  /// player as long as the last picture is there.
  public internal(set) var hasPicture = false {
    didSet {
      displayHold.handle(.shown(hasPicture))
      if hasPicture { accessibility.pictureShown() }
    }
  }

  /// Whether another view shows this view's player: the view that was paired last does. This one keeps its last picture,
  /// and shows again by itself when that view lets go of the player.
  public var isDisplaced: Bool { pairing.lifecycle.isDisplaced }

  /// Frames that were on the screen, over the life of the view.
  public var presentedFrames: Int { ledger.counts.presented }
  /// Frames that a newer one replaced first.
  public var supersededFrames: Int { ledger.counts.superseded }
  /// Frames that ended in any other way.
  public var failedFrames: Int { ledger.counts.failed }
  /// Frames whose fate is not known yet.
  public var framesInFlight: Int { ledger.counts.inFlight }
  /// All totals at one instant: `accepted` is always the sum of the others.
  public var frameCounts: FrameLedger.Counts { ledger.counts }

  /// Ends the view: the player is let go, the surfaces are destroyed. Idempotent. Afterwards every member does nothing.
  public func close() {
    guard !isClosed else { return }
    player = nil
    isClosed = true
    displayHold.close()
    accessibility.close()
    PlayerViewDefaults.observers[ObjectIdentifier(self)] = nil
    unmapped()
    host.close()
  }

  // MARK: Moving

  /// Moves the view into another window, whose content it becomes; also one of another connection, as when a compositor
  /// came back. The renderer is made anew for it, at once where the window is on the screen. The player goes on
  /// meanwhile, and its current picture is shown again.
  ///
  /// - Throws: `ToolkitError`, and the view stays where it is: `closed` for a closed view, otherwise as the making of a
  ///   view does.
  public func move(to window: Window) throws(ToolkitError) {
    guard !isClosed else { throw .closed }
    if let host = host as? WindowHost, host.fills(window) { return }
    move(to: try WindowHost(window))
  }

  /// Moves the view into another parent surface; otherwise like the above.
  public func move(
    to parent: WlSurface, of connection: Connection, frame: PixelRect
  ) throws(ToolkitError) {
    guard !isClosed else { throw .closed }
    let subsurface = try Subsurface(connection, parent: parent)
    move(to: try SubsurfaceHost(connection: connection, subsurface: subsurface, frame: frame))
  }

  /// Moves the view into a surface that other code made, given as its `wl_surface *`; otherwise like the above.
  public func move(
    toForeign parent: UnsafeMutableRawPointer, of connection: Connection, frame: PixelRect
  ) throws(ToolkitError) {
    guard !isClosed else { throw .closed }
    let subsurface = try Subsurface(connection, foreignParent: parent)
    move(to: try SubsurfaceHost(connection: connection, subsurface: subsurface, frame: frame))
  }

  private func move(to new: any ViewHost) {
    let old = host
    old.observer = nil
    // What is held for the old surface ends with its picture.
    forgetPicture()
    host = new
    host.background = background.opaque
    displayHold.host = new
    accessibility.host = new
    new.observer = self
    hostChanged(from: old)
  }
}
