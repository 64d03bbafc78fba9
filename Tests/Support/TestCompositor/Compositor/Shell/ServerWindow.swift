internal import Wayland

/// An `xdg_surface` with its `xdg_toplevel`.
final class ServerWindow {
  /// How far the handshake of a window that is to be shown has come.
  enum Stage {
    /// The client has not committed without a buffer yet.
    case fresh
    /// The first configure is on its way.
    case configuring
    /// The client has acked one.
    case configured
  }

  let resource: XdgSurfaceResource
  let surface: ServerSurface
  private let shell: ShellGlobal
  private unowned let core: CompositorCore
  private(set) weak var toplevel: XdgToplevelResource?
  private(set) weak var decoration: ZxdgToplevelDecorationV1Resource?
  private(set) var stage = Stage.fresh
  /// Serials that were sent and neither acked nor passed over, with what they told.
  private var sent: [(serial: UInt32, state: WindowConfiguration)] = []
  /// What the latest ack agreed to; nil before the first.
  private(set) var acked: WindowConfiguration?
  private(set) var configuration: WindowConfiguration
  private(set) var geometry: Box?
  private(set) var title = ""
  private(set) var appID = ""
  private(set) var configuresSent = 0
  private(set) var acks = 0
  private(set) var applied: WindowConfiguration?

  init(_ resource: XdgSurfaceResource, surface: ServerSurface, shell: ShellGlobal, core: CompositorCore) {
    self.resource = resource
    self.surface = surface
    self.shell = shell
    self.core = core
    let (width, height) = core.configuration.windowSize
    configuration = WindowConfiguration(width: width, height: height)
    resource.onRequest = { [weak self] in self?.receive($0) }
    resource.onDestroyed = { [weak self] in self?.ended() }
  }

  /// Whether its role's objects exist.
  var isConstructed: Bool { resource.isAlive || toplevel?.isAlive == true }
  var isShown: Bool { stage == .configured && toplevel != nil }
  var isSuspended: Bool { configuration.states.contains(.suspended) }

  private func receive(_ request: XdgSurfaceResource.Request) {
    switch request {
    case .destroy:
      if toplevel?.isAlive == true {
        post(.defunctRoleObject, "the xdg_surface was destroyed before its xdg_toplevel")
      }
    case .getToplevel(let toplevel):
      guard self.toplevel == nil else { return post(.alreadyConstructed, "there is a toplevel already") }
      construct(toplevel)
    case .getPopup: post(.alreadyConstructed, "this compositor has no popups")
    case .setWindowGeometry(let x, let y, let width, let height):
      guard width > 0, height > 0 else { return post(.invalidSize, "window geometry \(width)x\(height)") }
      surface.pending.windowGeometry = .to(Box(Int(x), Int(y), Int(width), Int(height)))
    case .ackConfigure(let serial): ack(serial)
    }
  }

  private func construct(_ toplevel: XdgToplevelResource) {
    self.toplevel = toplevel
    toplevel.onRequest = { [weak self] in self?.receive($0) }
    toplevel.onDestroyed = { [weak self] in self?.reset() }
  }

  private func receive(_ request: XdgToplevelResource.Request) {
    switch request {
    case .setTitle(let text): title = text
    case .setAppId(let text): appID = text
    case .setFullscreen: ask { $0.set(.fullscreen, true, size: self.core.outputSize) }
    case .unsetFullscreen: ask { $0.set(.fullscreen, false, size: (0, 0)) }
    case .setMaximized: ask { $0.set(.maximized, true, size: self.core.outputSize) }
    case .unsetMaximized: ask { $0.set(.maximized, false, size: (0, 0)) }
    default: break
    }
  }

  /// The client asks for a state: it is told at once, or with the first configure.
  private func ask(_ change: (inout WindowConfiguration) -> Void) {
    change(&configuration)
    if stage != .fresh { sendConfigure() }
  }

  private func ack(_ serial: UInt32) {
    guard let index = sent.firstIndex(where: { $0.serial == serial }) else {
      return post(.invalidSerial, "serial \(serial) was never sent, or is old")
    }
    acks += 1
    acked = sent[index].state
    surface.pending.ackedSerial = .to(serial)
    sent.removeFirst(index + 1)
    stage = .configured
  }

  // MARK: The surface's commits

  /// Whether a commit keeps the rules of the handshake; posts the error when not.
  func admits(_ change: SurfaceChange) -> Bool {
    guard toplevel != nil else {
      post(.notConstructed, "a commit before the role")
      return false
    }
    if case .to(_?) = change.buffer, stage != .configured {
      post(.unconfiguredBuffer, "a buffer before the first ack_configure")
      return false
    }
    return true
  }

  /// A commit was applied.
  func applied(_ change: SurfaceChange) {
    change.windowGeometry.value.map { geometry = $0 }
    if case .to = change.ackedSerial { applied = acked }
    switch change.buffer {
    case .to(nil) where stage == .configured: reset(keepsObjects: true)
    case .to(_?): checkSize()
    case .none, .to(nil):
      if stage == .fresh {
        stage = .configuring
        sendConfigure()
      }
    }
  }

  /// A maximized or fullscreen window keeps to the size that it agreed to.
  private func checkSize() {
    guard let applied, applied.width > 0, applied.height > 0 else { return }
    let size = geometry.map { SurfaceSize($0.width, $0.height) } ?? surface.content.size
    let isWrong =
      if applied.states.contains(.fullscreen) {
        size.width > applied.width || size.height > applied.height
      } else {
        applied.states.contains(.maximized) && (size.width != applied.width || size.height != applied.height)
      }
    guard isWrong else { return }
    shell.resource.postError(
      code: XdgWmBase.Error.invalidSurfaceState.rawValue,
      "a window of \(size.width)x\(size.height) where \(applied.width)x\(applied.height) was agreed on")
  }

  // MARK: What the compositor says

  func change(_ body: (inout WindowConfiguration) -> Void) {
    body(&configuration)
    sendConfigure()
  }

  /// Sends the configuration, as it is, with a new serial. Returns the serial.
  @discardableResult
  func sendConfigure() -> UInt32 {
    guard let toplevel else { return 0 }
    if let (width, height) = configuration.bounds {
      toplevel.sendConfigureBounds(width: Int32(width), height: Int32(height))
    }
    let states = configuration.states.subtracting(toplevel.version < 6 ? .suspended : [])
    toplevel.sendConfigure(
      width: Int32(configuration.width), height: Int32(configuration.height), states: states.wire)
    decoration?.sendConfigure(configuration.hasServerDecoration ? .serverSide : .clientSide)
    guard let serial = core.nextSerial else { return 0 }
    sent.append((serial, configuration))
    configuresSent += 1
    resource.sendConfigure(serial)
    return serial
  }

  func sendClose() { toplevel?.sendClose() }

  func add(_ decoration: ZxdgToplevelDecorationV1Resource) -> Bool {
    guard self.decoration == nil else { return false }
    self.decoration = decoration
    return true
  }

  func post(_ error: XdgSurface.Error, _ message: String) {
    resource.postError(code: error.rawValue, message)
  }

  /// The window is off the screen: showing it again begins anew.
  private func reset(keepsObjects: Bool = false) {
    let wasMapped = surface.isMapped
    defer { core.mappingMayHaveChanged(surface, wasMapped: wasMapped) }
    stage = .fresh
    sent.removeAll()
    acked = nil
    applied = nil
    geometry = nil
    if !keepsObjects { toplevel = nil }
  }

  private func ended() {
    shell.remove(self)
    if surface.window === self { surface.role = .none }
    core.remove(self)
  }

  func surfaceEnded() {
    shell.remove(self)
    core.remove(self)
  }
}
