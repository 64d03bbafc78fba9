import Glibc
import KiteCore
import KiteViews
import Wayland
import WaylandToolkit

/// The presenter's own queue on the connection, and the objects bound on it.
///
/// The presenter binds the globals it needs anew rather than borrow the main actor's objects: so their events come to
/// its thread, whatever the main thread is doing.
final class PresenterConnection {
  let display: Display
  let queue: EventQueue
  let surface: WlSurface
  let viewport: WpViewport?
  let shm: WlShm
  /// Nil where the compositor has no `wp_presentation`.
  let presentation: WpPresentation?
  /// The clock of presentation feedback (`CLOCK_…`); the compositor names it after binding.
  private(set) var presentationClock: Int32 = CLOCK_MONOTONIC
  /// Nil where the compositor has no `linux-dmabuf`, or the view wants none.
  let dmabuf: ZwpLinuxDmabufV1?
  /// Follows what dmabufs the compositor takes.
  let dmabufWatcher: DmabufWatcher?
  /// What decides about the path of the frames.
  var traits: FramePath.Compositor
  /// Nil where the compositor has no `linux-drm-syncobj-v1`, or the view wants no dmabufs.
  let synchronization: WpLinuxDrmSyncobjManagerV1?
  /// Nil where the compositor has no `color-representation-v1`.
  let representation: WpColorRepresentationManagerV1?
  /// Nil where the compositor lacks `fifo-v1` or `commit-timing-v1`, or `wp_presentation`, whose clock their times are of.
  let timing: TimedCommits.Managers?
  /// Nil where the compositor has no `content-type-v1`.
  let contentTypes: WpContentTypeManagerV1?
  private let registry: Registry

  /// How long the compositor may take to list its globals.
  private static let patience = Duration.seconds(5)

  /// Binds what a renderer for `target` needs. Blocks the presenter's thread, for a bounded time.
  ///
  /// - Throws: `WaylandError` when the connection is dead or silent; `MissingGlobal` without `wl_shm`.
  ///   `SurfaceTaken` when the renderer was closed meanwhile: the surface may have ended by then.
  init(target: RendererTarget, link: RendererLink) throws {
    let queue = try target.display.makeQueue()
    // Its objects keep a queue until it is closed, and the queue keeps the connection.
    var isComplete = false
    defer { if !isComplete { queue.close() } }
    let registry = Registry(queue)
    try queue.roundtrip(timeout: Self.patience)
    guard let shm = registry.bind(WlShm.self, versions: 1...1) else {
      throw MissingGlobal(interface: "wl_shm")
    }
    var formats: Set<UInt32> = []
    shm.onEvent = { event in
      guard case .format(let format) = event else { return }
      formats.insert(format == .xrgb8888 ? PixelFormat.bgrx8888.fourcc : format.rawValue)
    }
    // The view keeps the surface until the renderer is closed, and no longer: look and wrap in one step.
    var wrapped: (surface: WlSurface, viewport: WpViewport?)?
    link.withSurface { _ in
      wrapped = (queue.wrap(target.surface), target.viewport.map { queue.wrap($0) })
    }
    guard let wrapped else { throw SurfaceTaken() }
    dmabuf =
      target.prefersDmabuf ? registry.bind(ZwpLinuxDmabufV1.self, versions: DmabufWatcher.versions) : nil
    dmabufWatcher = dmabuf.map { DmabufWatcher($0, surface: wrapped.surface) }
    representation = registry.bind(WpColorRepresentationManagerV1.self, versions: 1...1)
    var tellable: Set<ColorReading.Numbers> = []
    representation?.onEvent = { event in
      if case .supportedCoefficientsAndRanges(let coefficients, let range) = event {
        tellable.insert(ColorReading.Numbers(coefficients: coefficients, range: range))
      }
    }
    try queue.roundtrip(timeout: Self.patience)
    shm.onEvent = nil
    representation?.onEvent = nil
    display = target.display
    surface = wrapped.surface
    viewport = wrapped.viewport
    synchronization =
      dmabuf == nil ? nil : registry.bind(WpLinuxDrmSyncobjManagerV1.self, versions: 1...1)
    contentTypes = registry.bind(WpContentTypeManagerV1.self, versions: 1...1)
    presentation = registry.bind(WpPresentation.self, versions: 1...2)
    timing =
      presentation == nil ? nil : Self.timing(registry)
    traits = FramePath.Compositor(
      formats: formats, reading: YUVReading(globals: registry.globals.lazy.map(\.interface)),
      tellable: tellable, hasViewport: target.viewport != nil,
      isAccelerated: registry.globals.contains { $0.interface == "zwp_linux_dmabuf_v1" })
    self.queue = queue
    self.registry = registry
    self.shm = shm
    isComplete = true
    presentation?.onEvent = { [weak self] event in
      if case .clockId(let clock) = event { self?.presentationClock = Int32(bitPattern: clock) }
    }
  }

  private static func timing(_ registry: Registry) -> TimedCommits.Managers? {
    let offered = registry.globals.lazy.map(\.interface)
    guard offered.contains("wp_fifo_manager_v1"), offered.contains("wp_commit_timing_manager_v1"),
      let fifo = registry.bind(WpFifoManagerV1.self, versions: 1...1),
      let timing = registry.bind(WpCommitTimingManagerV1.self, versions: 1...1)
    else { return nil }
    return TimedCommits.Managers(fifo: fifo, timing: timing)
  }

  /// The view took its surface back before there was a picture.
  struct SurfaceTaken: Error {}

  /// A global without which nothing can be shown.
  struct MissingGlobal: Error, CustomStringConvertible {
    let interface: String
    var description: String {
      "The compositor offers no \(interface), without which no picture can be shown."
    }
  }

  /// What the surface of the subtitles is made with.
  struct SubtitleGlobals {
    let compositor: WlCompositor
    let subcompositor: WlSubcompositor
    let viewporter: WpViewporter?
  }

  /// Binds what the surface of the subtitles takes; nil where the compositor lacks it.
  func bindSubtitleGlobals() -> SubtitleGlobals? {
    guard let compositor = registry.bind(WlCompositor.self, versions: 1...4),
      let subcompositor = registry.bind(WlSubcompositor.self, versions: 1...1)
    else { return nil }
    return SubtitleGlobals(
      compositor: compositor, subcompositor: subcompositor,
      viewporter: registry.bind(WpViewporter.self, versions: 1...1))
  }

  /// A region that covers any surface, for an opaque one; nil when the compositor can't make one.
  func makeEverythingRegion() -> WlRegion? {
    guard let compositor = registry.bind(WlCompositor.self, versions: 1...4) else { return nil }
    let region = compositor.createRegion()
    region.add(x: 0, y: 0, width: .max, height: .max)
    return region
  }
}
