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
  typealias Lifecycle = ViewLifecycle<ObjectIdentifier, ObjectIdentifier>

  /// One renderer, from its making until the surface has let go of it.
  struct Generation {
    let renderer: any ViewRenderer
    let player: any Player
  }

  let host: any ViewHost
  let ledger = FrameLedger()
  private var lifecycle = Lifecycle()
  private var generations: [Int: Generation] = [:]
  /// Renderers that are closed and whose last picture is still on the surface.
  private var leaving: [any ViewRenderer] = []
  private var isMapped = false
  private(set) var isClosed = false
  private var problem = ""
  let displayHold: ViewDisplayHold
  private let follower = PlayerFollower()

  /// A view that fills `window`, whose content it becomes.
  ///
  /// - Throws: `ToolkitError` when the compositor lacks what a view can't do without, or the connection is dead.
  public convenience init(in window: Window) throws(ToolkitError) {
    try self.init(host: WindowHost(window))
  }

  /// A view inside of `parent`, as a subsurface above it. It appears with the parent's next commit, which is its owner's.
  ///
  /// - Parameters:
  ///   - connection: the one that `parent` was made on.
  ///   - parent: the surface to show in. Close the view before the parent ends.
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
    host.observer = self
    follower.onState = { [weak self] in self?.playerDid($0) }
    PlayerViewDefaults.observers[ObjectIdentifier(self)] = { [weak self] in self?.factoryMayHaveChanged() }
    factoryMayHaveChanged()
    host.start()
  }

  isolated deinit { close() }

  // MARK: Members

  /// Whose pictures are shown. Never owned. Assigning another one ends the old pairing first; nil ends it. The last
  /// picture stays.
  public var player: (any Player)? {
    didSet {
      guard !isClosed else { return }
      handle(.playerChanged(player.map { ObjectIdentifier($0) }))
      if player !== oldValue { follower.follow(player) }
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

  /// Moves and sizes a view that is inside of another surface, in that one's logical pixels; an empty frame hides it. The
  /// place changes with the parent's next commit, which is its owner's. In a window: nothing, the view fills it.
  public func move(to frame: PixelRect) {
    host.move(to: frame)
  }

  /// Whether a picture is on the visible surface. Evidence of presentation, not of playback.
  public private(set) var hasPicture = false {
    didSet { displayHold.handle(.shown(hasPicture)) }
  }

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

  /// Which path the pictures take to the screen, and why no better one.
  public var diagnostics: RendererDiagnostics {
    if let generation = lifecycle.attachedGeneration, let current = generations[generation] {
      return current.renderer.diagnostics
    }
    return RendererDiagnostics(reason: problem.isEmpty ? waitingReason : problem)
  }

  /// Ends the view: the player is let go, the surfaces are destroyed. Idempotent. Afterwards every member does nothing.
  public func close() {
    guard !isClosed else { return }
    player = nil
    isClosed = true
    displayHold.close()
    PlayerViewDefaults.observers[ObjectIdentifier(self)] = nil
    unmapped()
    host.close()
  }

  private var waitingReason: String {
    if isClosed { return "The view is closed." }
    if player == nil { return "The view has no player." }
    if !isMapped { return "The view is not in a window that is shown." }
    return "No renderer factory is installed: building a KitePlayer installs one."
  }

  // MARK: The lifecycle's effects

  private func factoryMayHaveChanged() {
    guard !isClosed else { return }
    handle(.factoryChanged(factory.map { ObjectIdentifier($0) }))
  }

  private var factory: (any RendererFactory)? { rendererFactory ?? PlayerViewDefaults.rendererFactory }

  private func handle(_ event: Lifecycle.Event) {
    for action in lifecycle.event(event) { perform(action) }
  }

  private func perform(_ action: Lifecycle.Action) {
    switch action {
    case .make(let generation, _, let isSafe):
      make(generation, isSafe: isSafe)
    case .attach(let generation, _):
      guard let current = generations[generation] else { return }
      current.player.attach(current.renderer)
    case .close(let generation):
      guard let renderer = generations[generation]?.renderer else { return }
      renderer.close()
      leaving.removeAll { $0.isFinished }
      leaving.append(renderer)
    case .detach(let generation, _):
      guard let old = generations.removeValue(forKey: generation) else { return }
      old.player.detach(old.renderer)
    }
  }

  private func make(_ generation: Int, isSafe: Bool) {
    guard let factory, let player, let target = target(for: generation, isSafe: isSafe) else {
      return handle(.notMade(generation: generation))
    }
    do {
      guard let renderer = try factory.makeRenderer(for: target) else {
        problem = "The renderer factory has no renderer for this surface."
        return handle(.notMade(generation: generation))
      }
      problem = ""
      generations[generation] = Generation(renderer: renderer, player: player)
      handle(.made(generation: generation))
    } catch {
      problem = "The renderer factory failed: \(error)"
      handle(.notMade(generation: generation))
    }
  }

  private func target(for generation: Int, isSafe: Bool) -> RendererTarget? {
    guard let surface = host.videoSurface?.handle else { return nil }
    return RendererTarget(
      display: host.connection.display, surface: surface, viewport: host.videoViewport?.handle,
      ledger: ledger,
      prefersDmabuf: prefersDmabuf && !isSafe, geometry: geometry
    ) { [weak self] report in
      Task { @MainActor in self?.received(report, from: generation) }
    }
  }

  /// The player is in another state, or there is none.
  private func playerDid(_ state: PlayerState?) {
    displayHold.handle(.playback(DisplayHold.Playback(state)))
  }

  private func received(_ report: RendererReport, from generation: Int) {
    guard lifecycle.attachedGeneration == generation, !isClosed else { return }
    switch report {
    case .pictureShown:
      hasPicture = true
    case .placed(let place):
      host.place(place)
    case .failed(let reason):
      problem = reason
      handle(.failed(generation: generation))
    }
  }

  // MARK: Geometry

  private var geometry: SurfaceGeometry {
    var geometry = host.geometry
    geometry.scaleMode = scaleMode
    return geometry
  }

  private func geometryChanged() {
    guard let generation = lifecycle.attachedGeneration else { return }
    generations[generation]?.renderer.update(geometry)
  }
}

// MARK: - What the host says

extension KitePlayerView: ViewHostObserver {
  func mapped() {
    guard !isClosed, !isMapped else { return }
    isMapped = true
    displayHold.handle(.visible(host.geometry.isVisible))
    handle(.mapped)
  }

  func unmapped() {
    isMapped = false
    hasPicture = false
    handle(.unmapped)
    // First the picture goes, then its memory: a compositor shows anything for a buffer that ended before.
    host.clear()
    for renderer in leaving { renderer.surfaceWillEnd() }
    leaving.removeAll()
  }

  func hostGeometryChanged() {
    displayHold.handle(.visible(host.geometry.isVisible))
    geometryChanged()
  }
}
