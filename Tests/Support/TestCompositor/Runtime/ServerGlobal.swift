internal import CWaylandServer
internal import Wayland

/// Something that the compositor offers to every client. Belongs to the thread that dispatches the display.
public final class ServerGlobal {
  /// The name of its interface.
  public let interface: String
  /// The version on offer.
  public let version: UInt32
  private var pointer: OpaquePointer?
  private weak var display: ServerDisplay?
  /// What libwayland knows of a global without messages; nobody can make objects of it.
  private var bareInterface: UnsafePointer<wl_interface>?
  private let bind: (ServerClient, UInt32, UInt32) -> Void

  init?<Object: WaylandResource>(
    _ type: Object.Type, version: UInt32, display: ServerDisplay, onBind: @escaping (Object) -> Void
  ) {
    interface = type.interface.name
    self.version = version
    self.display = display
    bind = { client, version, id in onBind(client.makeResource(type, version: version, id: id)) }
    let facts = type.interface.rawPointer.assumingMemoryBound(to: wl_interface.self)
    let data = Unmanaged.passUnretained(self).toOpaque()
    pointer = wl_global_create(display.pointer, facts, Int32(version), data) { client, data, version, id in
      guard let client, let data else { return }
      Unmanaged<ServerGlobal>.fromOpaque(data).takeUnretainedValue().receive(client, version, id)
    }
    guard pointer != nil else { return nil }
  }

  init?(named name: String, version: UInt32, display: ServerDisplay) {
    interface = name
    self.version = version
    self.display = display
    bind = { _, _, _ in }
    guard let facts = kite_bare_interface(name, Int32(version)) else { return nil }
    bareInterface = facts
    pointer = wl_global_create(display.pointer, facts, Int32(version), nil) { _, _, _, _ in }
    guard pointer != nil else { return nil }
  }

  /// Takes the offer back: clients are told, and may still bind what they have not heard about yet.
  public func withdraw() {
    if let pointer { wl_global_remove(pointer) }
  }

  /// Frees libwayland's part. For the display, when it ends.
  func destroy() {
    if let pointer { wl_global_destroy(pointer) }
    pointer = nil
    if let bareInterface { kite_free_bare_interface(bareInterface) }
    bareInterface = nil
  }

  private func receive(_ client: OpaquePointer, _ version: UInt32, _ id: UInt32) {
    guard let client = display?.client(client) else { return }
    bind(client, version, id)
  }
}
