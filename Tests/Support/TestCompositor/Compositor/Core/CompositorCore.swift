internal import KiteSystem
internal import Wayland

/// The compositor itself. Used under its owner's lock, by one thread at a time.
final class CompositorCore {
  let configuration: CompositorConfiguration
  let display: ServerDisplay

  // What a script may change.
  var releases: ReleasePolicy
  var feedbackPolicy: FeedbackPolicy
  var withholdsFrameCallbacks: Bool
  var latchesQueuedCommits = true
  var scale120: Int

  var surfaces: [ServerSurface] = []
  var windows: [ServerWindow] = []
  var outputs: [ServerOutput] = []
  private var shells: [ShellGlobal] = []
  private var buffers: [ObjectIdentifier: ServerBuffer] = [:]
  private var regions: [ObjectIdentifier: RegionObject] = [:]
  var timelines: [ObjectIdentifier: TestTimeline] = [:]
  private lazy var shm = ShmGlobal(self)
  private(set) lazy var dmabuf = DmabufGlobal(self)

  /// Buffers that nothing shows any more and that the client has not got back.
  var unreleased: [ServerBuffer] = []
  /// Feedback that was asked for and not answered, the oldest first.
  var unansweredFeedback: [Feedback] = []
  var vblankSequence: UInt64 = 0
  private var numbers = 0

  var counts = Counts()
  var violations: [Violation] = []
  var resizes: [WindowResize] = []
  var sentErrors: [SentError] = []
  var record: [RecordedMessage] = []

  /// Feedback whose content has been on the screen, or never will be.
  struct Feedback {
    let resource: WpPresentationFeedbackResource
    let isShown: Bool
    /// The buffer went to the screen as it is.
    var isZeroCopy = false
    let time: MonotonicTime
    let sequence: UInt64
  }

  init(_ configuration: CompositorConfiguration) throws {
    self.configuration = configuration
    releases = configuration.releases
    feedbackPolicy = configuration.feedback
    withholdsFrameCallbacks = configuration.withholdsFrameCallbacks
    scale120 = configuration.scale120
    display = try ServerDisplay()
    try offerGlobals()
    display.record { [weak self] in self?.received($0) }
  }

  /// Drops all clients. To be called before the last reference goes: handlers of ending objects come back here.
  func shutDown() {
    for client in display.clients { client.disconnect() }
  }

  /// A new serial.
  var nextSerial: UInt32? { display.nextSerial }

  /// The first monitor in logical pixels.
  var outputSize: (width: Int, height: Int) {
    guard let output = outputs.first?.description else { return (0, 0) }
    return (Int(output.width) * 120 / scale120, Int(output.height) * 120 / scale120)
  }

  // MARK: Objects

  func addSurface(_ resource: WlSurfaceResource) {
    counts.surfacesMade += 1
    let surface = ServerSurface(number: nextNumber(), resource, core: self)
    surfaces.append(surface)
    resource.onDestroyed = { [weak self, weak surface] in
      guard let surface else { return }
      surface.ended()
      self?.counts.surfacesDestroyed += 1
      self?.surfaces.removeAll { $0 === surface }
    }
    sendPreferredScale(to: surface)
  }

  func surface(of resource: WlSurfaceResource) -> ServerSurface? {
    surfaces.first { $0.resource === resource }
  }

  func addBuffer(_ resource: WlBufferResource, _ content: ServerBuffer.Content, width: Int, height: Int) {
    counts.buffersMade += 1
    let key = ObjectIdentifier(resource)
    buffers[key] = ServerBuffer(number: nextNumber(), resource, content, width: width, height: height)
    resource.onDestroyed = { [weak self] in
      self?.counts.buffersDestroyed += 1
      self?.buffers[key] = nil
    }
  }

  func buffer(of resource: WlBufferResource) -> ServerBuffer? { buffers[ObjectIdentifier(resource)] }

  func addRegion(_ resource: WlRegionResource) {
    let key = ObjectIdentifier(resource)
    regions[key] = RegionObject(resource)
    resource.onDestroyed = { [weak self] in self?.regions[key] = nil }
  }

  func boxes(of region: WlRegionResource?) -> [Box] {
    region.flatMap { regions[ObjectIdentifier($0)]?.boxes } ?? []
  }

  func add(_ window: ServerWindow) { windows.append(window) }
  func remove(_ window: ServerWindow) { windows.removeAll { $0 === window } }
  func remove(_ shell: ShellGlobal) { shells.removeAll { $0 === shell } }

  func bind(_ shell: XdgWmBaseResource) { shells.append(ShellGlobal(shell, core: self)) }
  func bind(_ resource: WlShmResource) { shm.bind(resource) }
  func bind(_ resource: ZwpLinuxDmabufV1Resource) { dmabuf.bind(resource) }

  /// Asks every client whether it is there.
  func ping() { for shell in shells { shell.ping() } }
  var openPings: Int { shells.reduce(0) { $0 + $1.openPings.count } }

  private func nextNumber() -> Int {
    numbers += 1
    return numbers
  }

  // MARK: Evidence

  func report(_ kind: Violation.Kind, surface: Int?, _ text: String) {
    violations.append(Violation(kind: kind, surface: surface, text: text))
  }

  private func received(_ message: RecordedMessage) {
    if message.interface == "wl_display", message.name == "error" { noteError(message) }
    record.append(message)
    // Dropped in one go, so that a long record costs no shifting with every message.
    let limit = configuration.recordLimit
    if record.count > limit + limit / 4 { record.removeFirst(record.count - limit) }
  }

  private func noteError(_ message: RecordedMessage) {
    guard case .object(let interface, let id) = message.arguments.first, message.arguments.count == 3,
      case .uint(let code) = message.arguments[1], case .string(let text) = message.arguments[2]
    else { return }
    sentErrors.append(SentError(interface: interface, object: id, code: code, message: text ?? ""))
  }
}

/// A `wl_region`: the rectangles that were added; what is taken away again is not modelled.
final class RegionObject {
  private(set) var boxes: [Box] = []

  init(_ resource: WlRegionResource) {
    resource.onRequest = { [weak self] request in
      guard case .add(let x, let y, let width, let height) = request else { return }
      self?.boxes.append(Box(Int(x), Int(y), Int(width), Int(height)))
    }
  }
}
