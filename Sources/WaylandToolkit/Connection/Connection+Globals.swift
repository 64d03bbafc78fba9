public import Wayland

extension Connection {
  /// Everything on offer now.
  public var globals: GlobalList { GlobalList(all: registry.globals) }

  /// The one object of a type that the main thread shares, bound when it is first asked for; nil when the
  /// compositor does not offer it. It stays the connection's: don't destroy it.
  public func global<Object: WaylandObject>(_ type: Object.Type, versions: ClosedRange<UInt32>) -> Object? {
    let name = type.interface.name
    if let known = bound[name] as? Object { return known }
    guard isAlive, let object = registry.bind(type, versions: versions) else { return nil }
    bound[name] = object
    return object
  }

  /// As `global(_:versions:)` where there is no doing without it; `lost` says what can't be done.
  public func require<Object: WaylandObject>(
    _ type: Object.Type, versions: ClosedRange<UInt32>, lost: String
  ) throws(ToolkitError) -> Object {
    guard isAlive else { throw error ?? .closed }
    guard let object = global(type, versions: versions) else {
      throw .missingGlobal(interface: type.interface.name, lost: lost)
    }
    return object
  }

  /// Makes surfaces.
  public var compositor: WlCompositor {
    get throws(ToolkitError) {
      try require(WlCompositor.self, versions: 1...6, lost: "nothing can be shown at all")
    }
  }

  /// Puts surfaces into others.
  public var subcompositor: WlSubcompositor {
    get throws(ToolkitError) {
      try require(WlSubcompositor.self, versions: 1...1, lost: "no surface can be put into another")
    }
  }

  /// Shares memory with the compositor.
  public var shm: WlShm {
    get throws(ToolkitError) {
      try require(WlShm.self, versions: 1...1, lost: "no memory can be shown")
    }
  }

  /// Scales and crops surfaces; nil where there is none.
  public var viewporter: WpViewporter? { global(WpViewporter.self, versions: 1...1) }

  /// Makes buffers of one colour; nil where there is none.
  public var singlePixelBuffers: WpSinglePixelBufferManagerV1? {
    global(WpSinglePixelBufferManagerV1.self, versions: 1...1)
  }

  /// Says which fractional scale a surface has; nil where there is none.
  public var fractionalScales: WpFractionalScaleManagerV1? {
    global(WpFractionalScaleManagerV1.self, versions: 1...1)
  }

  /// Says when frames were shown; nil where there is none.
  public var presentation: WpPresentation? { global(WpPresentation.self, versions: 1...2) }

  /// Takes hints on what a surface shows; nil where there is none.
  public var contentTypes: WpContentTypeManagerV1? { global(WpContentTypeManagerV1.self, versions: 1...1) }

  /// Keeps the display awake; nil where there is none.
  public var idleInhibit: ZwpIdleInhibitManagerV1? { global(ZwpIdleInhibitManagerV1.self, versions: 1...1) }

  /// Agrees on who draws title bars; nil where there is none.
  var decorations: ZxdgDecorationManagerV1? { global(ZxdgDecorationManagerV1.self, versions: 1...1) }

  /// Makes windows. Answers the compositor's question whether this process is still there.
  var windowShell: XdgWmBase {
    get throws(ToolkitError) {
      let isNew = bound[XdgWmBase.interface.name] == nil
      let shell = try require(XdgWmBase.self, versions: 1...6, lost: "no window can be opened")
      if isNew {
        shell.onEvent = { [weak shell] event in
          if case .ping(let serial) = event { shell?.pong(serial) }
        }
      }
      return shell
    }
  }

  /// Binds at once what has something to say by itself, so that its events come with the next answer and no
  /// time is spent on waiting for them.
  func appeared(_ global: Registry.Global) {
    switch global.interface {
    case WlShm.interface.name: bindShm()
    case WlOutput.interface.name: addOutput(global)
    case WlSeat.interface.name: addSeat(global)
    default: break
    }
  }

  func disappeared(_ global: Registry.Global) {
    switch global.interface {
    case WlOutput.interface.name: removeOutput(global)
    case WlSeat.interface.name: removeSeat(global)
    default: break
    }
  }

  private func bindShm() {
    guard let shm = global(WlShm.self, versions: 1...1) else { return }
    shm.onEvent = { [weak self] event in
      if case .format(let format) = event { self?.shmFormats.insert(ShmFormats.fourcc(format.rawValue)) }
    }
  }
}
