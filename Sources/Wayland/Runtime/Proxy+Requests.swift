internal import CWayland

/// How emitted requests reach libwayland.
extension Proxy {
  /// `WL_MARSHAL_FLAG_DESTROY`: libwayland's proxy goes together with the request.
  private static let destroyFlag: UInt32 = 1

  /// Whether a request may go out. For emitted code.
  public final func admits(
    _ opcode: UInt32, since: UInt32, _ first: Proxy? = nil, _ second: Proxy? = nil, _ third: Proxy? = nil
  ) -> Bool {
    check(opcode, since: since, (first, second, third))
  }

  /// Sends a request without arguments. For emitted code.
  public final func send(_ opcode: UInt32, ending: Bool = false) { marshal(opcode, nil, ending: ending) }

  /// Sends a request. For emitted code.
  public final func send<let count: Int>(
    _ opcode: UInt32, _ arguments: inout InlineArray<count, WireArgument>, ending: Bool = false
  ) {
    withUnsafeMutablePointer(to: &arguments) {
      _ = marshal(opcode, UnsafeMutableRawPointer($0), ending: ending)
    }
  }

  /// Sends a request that makes an object of this object's version. For emitted code.
  public final func create<let count: Int, Object: WaylandObject>(
    _ opcode: UInt32, _ arguments: inout InlineArray<count, WireArgument>, ending: Bool = false,
    _ type: Object.Type
  ) -> Object {
    create(opcode, &arguments, ending: ending, type, version: version)
  }

  /// Sends a request that makes an object. For emitted code.
  public final func create<let count: Int, Object: WaylandObject>(
    _ opcode: UInt32, _ arguments: inout InlineArray<count, WireArgument>, ending: Bool = false,
    _ type: Object.Type,
    version: UInt32
  ) -> Object {
    guard let queue else { return type.inert() }
    let made = withUnsafeMutablePointer(to: &arguments) {
      marshal(
        opcode, UnsafeMutableRawPointer($0), ending: ending, creating: type.interface.pointer,
        version: version)
    }
    return Object(ProxyOrigin(pointer: made, queue: queue, version: version, isWrapper: false))
  }

  @discardableResult
  private final func marshal(
    _ opcode: UInt32, _ arguments: UnsafeMutableRawPointer?, ending: Bool,
    creating interface: UnsafePointer<wl_interface>? = nil, version: UInt32? = nil
  ) -> OpaquePointer? {
    guard let pointer, !ending || mayEnd else { return nil }
    // WireArgument holds a wl_argument and nothing else.
    let arguments = arguments?.assumingMemoryBound(to: wl_argument.self)
    let made = wl_proxy_marshal_array_flags(
      pointer, opcode, interface, version ?? self.version, ending ? Proxy.destroyFlag : 0, arguments)
    if ending { retire(.destroyed, destroyingProxy: false) }
    return made
  }
}
