internal import CWayland

/// A proxy of a known interface: what the scanner emits a class for.
public protocol WaylandObject: Proxy {
  /// What libwayland knows about the interface.
  static var interface: WireInterface { get }
}

extension WaylandObject {
  /// An object that never existed: what a request returns that could not be sent. It ignores everything.
  public static func inert() -> Self {
    Self(ProxyOrigin(pointer: nil, queue: nil, version: 0, isWrapper: false))
  }

  /// A reference that another thread may make a wrapper of, see `EventQueue.wrap(_:)`. `nil` once the object
  /// ended.
  public var handle: ProxyHandle<Self>? { pointer.map { ProxyHandle(pointer: $0) } }
}

/// Where a proxy comes from. For the runtime.
public struct ProxyOrigin {
  /// The `wl_proxy *`; `nil` for an object that never existed.
  let pointer: OpaquePointer?
  let queue: EventQueue?
  let version: UInt32
  /// Whether libwayland's proxy is a wrapper of somebody else's.
  let isWrapper: Bool
}

/// Names an object to other threads.
///
/// An object belongs to the thread of its queue. Another thread that wants to send requests to it makes a
/// wrapper for a queue of its own: `otherQueue.wrap(handle)`. Until that wrapper is gone, the owner keeps the
/// object alive; a handle does not, and using it after the object ended is undefined.
public struct ProxyHandle<Object: WaylandObject>: @unchecked Sendable {
  // @unchecked: libwayland lets any thread make a wrapper of a proxy that is alive, which the rule above
  // ensures.
  let pointer: OpaquePointer

  /// Sends the object's destructor request from any thread, ahead of its owner, who must neither send it nor any other
  /// request afterwards. On this side the object lives on until its owner's queue is closed.
  ///
  /// For objects that hear no events. As with every use of a handle, the caller knows that the object has not ended.
  ///
  /// - Parameter opcode: the destructor's place among the interface's requests; in most it is the first.
  public func sendDestructor(opcode: UInt32 = 0) {
    // Without WL_MARSHAL_FLAG_DESTROY libwayland keeps the proxy, and remembers when the compositor frees its number.
    _ = wl_proxy_marshal_array_flags(pointer, opcode, nil, wl_proxy_get_version(pointer), 0, nil)
  }
}
