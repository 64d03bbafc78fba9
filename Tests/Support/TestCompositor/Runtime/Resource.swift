internal import CWaylandServer
public import Wayland

/// The compositor's end of a protocol object.
///
/// A resource lives until its destructor request or event, `destroy()`, or the end of its client; until then
/// it is kept, whether or not anything refers to it. Events to a resource that ended, or that is older than
/// the event, are not sent. It is used by the thread that dispatches the display.
open class Resource {
  final private(set) var pointer: OpaquePointer?
  /// The client that the object belongs to.
  public final let client: ServerClient
  /// The version that client and compositor agreed on.
  public final let version: UInt32
  /// The object's number on the wire.
  public final let id: UInt32
  /// Called once, when the object ended for whatever reason.
  public final var onDestroyed: (() -> Void)?

  /// For the runtime; resources come from requests, globals, and `ServerClient.makeResource`.
  public required init(_ origin: ResourceOrigin) {
    client = origin.client
    pointer = origin.pointer
    version = origin.pointer.map { UInt32(wl_resource_get_version($0)) } ?? 0
    id = origin.pointer.map { wl_resource_get_id($0) } ?? 0
    guard let pointer else { return }
    // libwayland's resource keeps this object until it ends.
    let reference = Unmanaged.passRetained(self).toOpaque()
    wl_resource_set_dispatcher(
      pointer, dispatchRequest, ResourceTag.shared.pointer, reference, { Resource.retire($0) })
  }

  /// Whether the object has not ended.
  public final var isAlive: Bool { pointer != nil }

  /// The `struct wl_resource *`; `nil` once the object ended.
  public final var rawPointer: UnsafeMutableRawPointer? { pointer.map { UnsafeMutableRawPointer($0) } }

  /// Reads one request and hands it to the handler. Overridden by emitted code.
  open func receive(_ opcode: UInt32, _ arguments: MessageArguments) {}

  /// Lets go of the handler. Overridden by emitted code.
  open func dropHandler() {}

  /// Ends the object on this side; its client is told that the number is free again.
  public final func destroy() {
    if let pointer { wl_resource_destroy(pointer) }
  }

  /// Ends the client with a protocol error.
  public final func postError(code: UInt32, _ message: String) {
    if let pointer { kite_resource_post_error(pointer, code, message) }
  }

  private static func retire(_ pointer: OpaquePointer?) {
    guard let pointer, let data = wl_resource_get_user_data(pointer) else { return }
    let resource = Unmanaged<Resource>.fromOpaque(data).takeRetainedValue()
    resource.pointer = nil
    resource.dropHandler()
    let handler = resource.onDestroyed
    resource.onDestroyed = nil
    handler?()
  }
}

/// A resource of a known interface: what the scanner emits a class for.
public protocol WaylandResource: Resource {
  /// What libwayland knows about the interface.
  static var interface: WireInterface { get }
}

/// Where a resource comes from. For the runtime.
public struct ResourceOrigin {
  let client: ServerClient
  /// The `wl_resource *`; `nil` if libwayland had no memory for it.
  let pointer: OpaquePointer?
}
