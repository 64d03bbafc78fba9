internal import CWayland

/// Marks the proxies whose user data is one of our objects, beside those that other code in the process made.
struct ProxyTag: @unchecked Sendable {
  // @unchecked: only the address counts; nothing is ever read or written there.
  let pointer: UnsafeRawPointer

  static let shared = ProxyTag(
    pointer: UnsafeRawPointer(UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)))
}

/// libwayland calls this for each event of our proxies, on the thread that dispatches their queue.
func dispatchEvent(
  _ tag: UnsafeRawPointer?, _ target: UnsafeMutableRawPointer?, _ opcode: UInt32,
  _ message: UnsafePointer<wl_message>?,
  _ arguments: UnsafeMutablePointer<wl_argument>?
) -> Int32 {
  guard let target, let arguments, let data = wl_proxy_get_user_data(OpaquePointer(target)) else { return 0 }
  // The reference held here keeps the object while its handler ends it.
  let proxy = Unmanaged<Proxy>.fromOpaque(data).takeUnretainedValue()
  proxy.queue?.endOwnEvents()
  withExtendedLifetime(proxy) { proxy.receive(opcode, MessageArguments(base: arguments)) }
  return 0
}

extension Proxy {
  /// Our object behind a proxy that libwayland hands out; `nil` if there is none, or other code made it.
  static func known(_ pointer: OpaquePointer?) -> Proxy? {
    guard let pointer, wl_proxy_get_listener(pointer) == ProxyTag.shared.pointer,
      let data = wl_proxy_get_user_data(pointer)
    else { return nil }
    return Unmanaged<Proxy>.fromOpaque(data).takeUnretainedValue()
  }

  /// The object that an event brings into being. For emitted code.
  public final func adopt<Object: WaylandObject>(
    _ arguments: MessageArguments, _ index: Int, _ type: Object.Type
  ) -> Object {
    guard let pointer = arguments.base[index].o, let queue else { return type.inert() }
    let version = max(1, wl_proxy_get_version(pointer))
    return Object(ProxyOrigin(pointer: pointer, queue: queue, version: version, isWrapper: false))
  }
}
