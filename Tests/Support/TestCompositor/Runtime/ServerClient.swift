internal import CWaylandServer
internal import Glibc
internal import Wayland

/// A client as the compositor sees it. Belongs to the thread that dispatches the display.
public final class ServerClient {
  private(set) var pointer: OpaquePointer?
  /// The display that it is connected to.
  public private(set) weak var display: ServerDisplay?
  /// Called once, when the connection ended for whatever reason.
  public var onDestroyed: (() -> Void)?

  /// libwayland's listener, with the way back to the object; libwayland finds it by the address of the first
  /// member.
  private struct Listener {
    var listener: wl_listener
    let client: Unmanaged<ServerClient>
  }

  init(_ pointer: OpaquePointer, display: ServerDisplay) {
    self.pointer = pointer
    self.display = display
    let listener = UnsafeMutablePointer<Listener>.allocate(capacity: 1)
    listener.initialize(to: Listener(listener: wl_listener(), client: .passRetained(self)))
    let raw = UnsafeMutableRawPointer(listener).assumingMemoryBound(to: wl_listener.self)
    raw.pointee.notify = { listener, _ in ServerClient.retire(UnsafeMutableRawPointer(listener)) }
    wl_client_add_destroy_listener(pointer, raw)
  }

  /// Whether the connection is there.
  public var isConnected: Bool { pointer != nil }

  /// Drops the connection without a word, as a compositor that crashed does.
  public func disconnect() {
    if let pointer { wl_client_destroy(pointer) }
  }

  /// Makes an object. `id` is the client's number for it; 0 makes one of the server's, for events that bring
  /// objects.
  public func makeResource<Object: WaylandResource>(
    _ type: Object.Type, version: UInt32, id: UInt32 = 0
  ) -> Object {
    let facts = type.interface.rawPointer.assumingMemoryBound(to: wl_interface.self)
    let made = pointer.flatMap { wl_resource_create($0, facts, Int32(version), id) }
    if made == nil, let pointer { wl_client_post_no_memory(pointer) }
    return Object(ResourceOrigin(client: self, pointer: made))
  }

  private static func retire(_ raw: UnsafeMutableRawPointer?) {
    guard let listener = raw?.assumingMemoryBound(to: Listener.self) else { return }
    let client = listener.pointee.client.takeRetainedValue()
    listener.deallocate()
    client.display?.forget(client)
    client.pointer = nil
    let handler = client.onDestroyed
    client.onDestroyed = nil
    handler?()
  }
}
