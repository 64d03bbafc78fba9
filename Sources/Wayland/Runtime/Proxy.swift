internal import CWayland

/// The client's end of a protocol object.
///
/// Objects come from requests of other objects and from `Registry.bind`. One lives until its destructor
/// request was sent, a destructor event arrived, or its queue was closed, whether or not anything refers to
/// it: events find its handler until then. Afterwards `isAlive` is false, the handler is released, and
/// requests do nothing; in debug builds a request to an object that a destructor ended stops the program,
/// because it is a mistake.
///
/// An object is used by one thread: the one that dispatches its queue.
open class Proxy {
  /// Why an object takes requests or doesn't.
  enum Life {
    case alive
    /// Requests work, but the object belongs to somebody else, and its events go there.
    case wrapper
    /// Ended by a destructor request or event.
    case destroyed
    /// Never was, or its queue was closed.
    case lost
  }

  /// libwayland's proxy; `nil` once the object ended.
  final private(set) var pointer: OpaquePointer?
  private var life: Life
  /// The version of the interface that the compositor and this process agreed on; 0 for an object that never
  /// existed.
  public final let version: UInt32
  /// The queue that the object's events arrive on; `nil` once the object ended.
  public final private(set) var queue: EventQueue?

  // The queue's list of its living objects. Unretained: an object leaves the list before it goes.
  unowned(unsafe) final var next: Proxy?
  unowned(unsafe) final var previous: Proxy?

  /// For the runtime; objects come from requests and from the registry.
  public required init(_ origin: ProxyOrigin) {
    pointer = origin.pointer
    version = origin.version
    queue = origin.pointer == nil ? nil : origin.queue
    life = origin.pointer == nil ? .lost : origin.isWrapper ? .wrapper : .alive
    guard let pointer else { return }
    origin.queue?.add(self)
    guard !origin.isWrapper else { return }
    // libwayland's proxy keeps this object until it ends, so that events find it.
    let reference = Unmanaged.passRetained(self).toOpaque()
    wl_proxy_add_dispatcher(pointer, dispatchEvent, ProxyTag.shared.pointer, reference)
  }

  deinit {
    // Only wrappers get here with a pointer: everything else is kept by libwayland's proxy until it ends.
    guard let pointer else { return }
    queue?.remove(self)
    wl_proxy_wrapper_destroy(UnsafeMutableRawPointer(pointer))
  }

  /// Whether requests reach the compositor's object: it has not ended and its queue is open.
  public final var isAlive: Bool { pointer != nil }

  /// The object's number on the wire; 0 once it ended.
  public final var id: UInt32 { pointer.map { wl_proxy_get_id($0) } ?? 0 }

  /// The `wl_proxy *` (a `wl_surface *`, `wl_buffer *`, …) for C libraries; `nil` once the object ended.
  /// Stays owned by this object: others must neither destroy it nor set a listener.
  public final var rawPointer: UnsafeMutableRawPointer? { pointer.map { UnsafeMutableRawPointer($0) } }

  /// Whether the object's version has what came with `version`.
  public final func supports(_ version: UInt32) -> Bool { self.version >= version }

  /// Reads one event and hands it to the handler. Overridden by emitted code.
  open func receive(_ opcode: UInt32, _ arguments: MessageArguments) {}

  /// Lets go of the handler. Overridden by emitted code.
  open func dropHandler() {}

  /// Whether a request may go out: the object and its arguments are alive, and the version has the request.
  final func check(_ opcode: UInt32, since: UInt32, _ arguments: (Proxy?, Proxy?, Proxy?)) -> Bool {
    guard pointer != nil else {
      assert(life != .destroyed, "\(requestName(opcode)) sent to an object that was destroyed")
      return false
    }
    guard version >= since else {
      assertionFailure("\(requestName(opcode)) is since version \(since), the object has version \(version)")
      return false
    }
    return isUsable(arguments.0, opcode) && isUsable(arguments.1, opcode) && isUsable(arguments.2, opcode)
  }

  private final func isUsable(_ argument: Proxy?, _ opcode: UInt32) -> Bool {
    guard let argument, argument.pointer == nil else { return true }
    assert(argument.life != .destroyed, "\(requestName(opcode)) names an object that was destroyed")
    return false
  }

  /// Whether a destructor may go out: the object isn't somebody else's.
  final var mayEnd: Bool {
    assert(life != .wrapper, "a wrapper can't destroy the object, its owner does")
    return life != .wrapper
  }

  private final func requestName(_ opcode: UInt32) -> String {
    guard let type = Self.self as? any WaylandObject.Type else { return "request \(opcode)" }
    return "\(type.interface.name).\(type.interface.requestName(opcode))"
  }

  /// Ends the object by a destructor event. For emitted code.
  public final func end() { retire(.destroyed, destroyingProxy: true) }

  /// Ends the object on this side.
  final func retire(_ reason: Life, destroyingProxy: Bool) {
    guard let pointer else { return }
    let wasWrapper = life == .wrapper
    self.pointer = nil
    life = reason
    queue?.remove(self)
    queue = nil
    if wasWrapper { return wl_proxy_wrapper_destroy(UnsafeMutableRawPointer(pointer)) }
    if destroyingProxy { wl_proxy_destroy(pointer) }
    dropHandler()
    // Balances the reference that `init` gave to libwayland's proxy; callers hold one of their own.
    Unmanaged.passUnretained(self).release()
  }
}
