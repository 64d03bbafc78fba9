import KiteCore
import Wayland
import WaylandToolkit

/// What the view's lifecycle wants done, and what becomes of it.
extension KitePlayerView {
  typealias Lifecycle = ViewLifecycle<PlayerReference, FactoryReference>

  /// One renderer, from its making until its player has let go of it.
  struct Generation {
    let renderer: AttachedRenderer
    /// It was given to a player, which has to let go of it.
    var isPaired = false
  }

  /// The pairing of the view's surface with a player, by renderers.
  struct Pairing {
    var lifecycle = Lifecycle()
    /// What was made and is not detached yet, by generation.
    var generations: [Int: Generation] = [:]
    /// The newest generation that was made: the one whose place of the picture counts.
    var newest = 0
    /// Renderers that are closed and whose last picture may still be on the surface.
    var leaving: [any ViewRenderer] = []
    /// The host said that its surfaces are up.
    var isMapped = false
    /// Renderers may still have something on the surface.
    var isSurfaceUp = false
    /// The host is another one and has yet to say whether it is mapped.
    var isMoving = false
    /// Grows whenever the picture is taken off the surface: what a renderer says of an earlier one means nothing.
    var surfaceEpoch = 0
    /// Why there is no renderer; empty when there is one, or nothing failed.
    var problem = ""
    /// Why the renderer is not on the best path any more; empty when none failed on this surface.
    var failure = ""
  }

  // Whatever is called here may come back with another event before it returns: every action is held against the
  // lifecycle's state when its turn comes.

  func handle(_ event: Lifecycle.Event) {
    switch event {
    case .factoryChanged, .unmapped, .moved: pairing.failure = ""
    default: break
    }
    for action in pairing.lifecycle.event(event) { perform(action) }
  }

  func playerChanged() {
    handle(.playerChanged(player.map { PlayerReference($0) }, clears: clearsOnPlayerChange))
  }

  func factoryMayHaveChanged() {
    guard !isClosed else { return }
    let factory = rendererFactory ?? PlayerViewDefaults.rendererFactory
    handle(.factoryChanged(factory.map { FactoryReference($0) }))
  }

  private func perform(_ action: Lifecycle.Action) {
    switch action {
    case .make(let generation, let factory, let isSafe):
      make(generation, by: factory.factory, isSafe: isSafe)
    case .attach(let generation, let player):
      guard pairing.lifecycle.attachedGeneration == generation else { return }
      pairing.generations[generation]?.isPaired = true
      if let paired = pairing.generations[generation] { player.player.attach(paired.renderer) }
    case .close(let generation):
      close(generation)
      // One that came too late has no player that would have to let go.
      if pairing.generations[generation]?.isPaired == false { pairing.generations[generation] = nil }
    case .detach(let generation, let player):
      if let paired = pairing.generations.removeValue(forKey: generation) {
        player.player.detach(paired.renderer)
      }
    case .clear:
      clear()
    }
  }

  private func make(_ generation: Int, by factory: any RendererFactory, isSafe: Bool) {
    guard pairing.lifecycle.wantedGeneration == generation else { return }
    guard let target = target(for: generation, isSafe: isSafe) else {
      return handle(.notMade(generation: generation))
    }
    host.resetVideo()
    let made: (any ViewRenderer)?
    do {
      made = try factory.makeRenderer(for: target)
      pairing.problem = made == nil ? "The renderer factory has no renderer for this surface." : ""
    } catch {
      made = nil
      pairing.problem = "The renderer factory failed: \(error)"
    }
    guard let made else { return handle(.notMade(generation: generation)) }
    pairing.newest = generation
    let renderer = AttachedRenderer(made) { [weak self] isActive in
      Task { @MainActor in
        self?.handle(isActive ? .resumed(generation: generation) : .displaced(generation: generation))
      }
    }
    pairing.generations[generation] = Generation(renderer: renderer)
    handle(.made(generation: generation))
  }

  private func close(_ generation: Int) {
    guard let generation = pairing.generations[generation] else { return }
    let renderer = generation.renderer.renderer
    renderer.close()
    pairing.leaving.removeAll { $0.isFinished }
    if pairing.isSurfaceUp { pairing.leaving.append(renderer) } else { renderer.surfaceWillEnd() }
  }

  private func target(for generation: Int, isSafe: Bool) -> RendererTarget? {
    guard let surface = host.videoSurface?.handle else { return nil }
    let epoch = pairing.surfaceEpoch
    return RendererTarget(
      display: host.connection.display, surface: surface, viewport: host.videoViewport?.handle,
      ledger: ledger, prefersDmabuf: prefersDmabuf && !isSafe, geometry: geometry
    ) { [weak self] report in
      Task { @MainActor in self?.received(report, from: generation, epoch: epoch) }
    }
  }

  private func received(_ report: RendererReport, from generation: Int, epoch: Int) {
    guard !isClosed else { return }
    switch report {
    case .pictureShown:
      if epoch == pairing.surfaceEpoch { hasPicture = true }
    case .placed(let place):
      if epoch == pairing.surfaceEpoch, generation == pairing.newest { host.place(place) }
    case .adapted(let adapted):
      // One that is for an earlier size is followed by another.
      if generation == pairing.newest, adapted == geometry { host.pictureFits() }
    case .failed(let reason):
      guard pairing.lifecycle.attachedGeneration == generation else { return }
      // With the connection gone no path is safer: the end of the window follows.
      guard host.connection.display.lastError == nil else { return }
      pairing.failure = reason
      pairing.problem = reason
      handle(.failed(generation: generation))
    }
  }

  // MARK: Geometry

  var geometry: SurfaceGeometry {
    var geometry = host.geometry
    geometry.scaleMode = scaleMode
    geometry.background = background.opaque
    return geometry
  }

  func geometryChanged() {
    guard let generation = pairing.lifecycle.attachedGeneration else { return }
    pairing.generations[generation]?.renderer.renderer.update(geometry)
  }
}
