internal import CWaylandServer
internal import Glibc
internal import Wayland

/// A compositor's listening end, inside the test's process. Belongs to the thread that calls `dispatch`.
public final class ServerDisplay {
  let pointer: OpaquePointer
  private var globals: [ServerGlobal] = []
  private var known: [OpaquePointer: ServerClient] = [:]
  private var logger: OpaquePointer?
  private var onMessage: ((RecordedMessage) -> Void)?

  /// What could not be set up.
  public enum Failure: Error {
    /// libwayland-server gave no display.
    case noDisplay
    /// No pair of sockets, or libwayland-server refused one.
    case noClient(errno: Int32)
    /// The version is newer than the emitted code, or 0.
    case noGlobal(interface: String, version: UInt32)
  }

  /// A display with neither globals nor clients.
  public init() throws(Failure) {
    guard let pointer = wl_display_create() else { throw .noDisplay }
    self.pointer = pointer
  }

  deinit {
    wl_display_destroy_clients(pointer)
    for global in globals { global.destroy() }
    if let logger { wl_protocol_logger_destroy(logger) }
    wl_display_destroy(pointer)
  }

  /// The clients that are connected.
  public var clients: [ServerClient] { Array(known.values) }

  /// A new number for events that carry a serial.
  public var nextSerial: UInt32 { wl_display_next_serial(pointer) }

  /// Readable when `dispatch` has something to do.
  public var descriptor: Int32 { wl_event_loop_get_fd(wl_display_get_event_loop(pointer)) }

  /// Offers something; `onBind` gets each object that a client binds to it.
  @discardableResult
  public func addGlobal<Object: WaylandResource>(
    _ type: Object.Type, version: UInt32, onBind: @escaping (Object) -> Void
  ) throws(Failure) -> ServerGlobal {
    guard let global = ServerGlobal(type, version: version, display: self, onBind: onBind) else {
      throw .noGlobal(interface: type.interface.name, version: version)
    }
    globals.append(global)
    return global
  }

  /// Offers something that has a name and no messages, as compositors' private interfaces look from outside.
  @discardableResult
  public func addGlobal(named name: String, version: UInt32 = 1) throws(Failure) -> ServerGlobal {
    guard let global = ServerGlobal(named: name, version: version, display: self) else {
      throw .noGlobal(interface: name, version: version)
    }
    globals.append(global)
    return global
  }

  /// Connects a client. The caller owns `descriptor`, the client's end, until it is given to a connection.
  public func connectClient() throws(Failure) -> (client: ServerClient, descriptor: Int32) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0
    else {
      throw .noClient(errno: errno)
    }
    guard let created = wl_client_create(pointer, ends[0]) else {
      let code = errno
      close(ends[0])
      close(ends[1])
      throw .noClient(errno: code)
    }
    let client = ServerClient(created, display: self)
    known[created] = client
    return (client, ends[1])
  }

  /// Handles what clients sent and sends what waits for them; waits up to `milliseconds` for something to do.
  public func dispatch(milliseconds: Int32 = 0) {
    wl_display_flush_clients(pointer)
    wl_event_loop_dispatch(wl_display_get_event_loop(pointer), milliseconds)
    wl_display_flush_clients(pointer)
  }

  /// Reports every message, requests before they are handled, events when they are sent. One handler at a
  /// time.
  public func record(_ handler: ((RecordedMessage) -> Void)?) {
    onMessage = handler
    guard logger == nil else { return }
    let data = Unmanaged.passUnretained(self).toOpaque()
    logger = wl_display_add_protocol_logger(
      pointer,
      { data, direction, message in
        guard let data, let message else { return }
        let display = Unmanaged<ServerDisplay>.fromOpaque(data).takeUnretainedValue()
        display.onMessage?(
          RecordedMessage(message.pointee, isRequest: direction == WL_PROTOCOL_LOGGER_REQUEST))
      }, data)
  }

  func client(_ pointer: OpaquePointer) -> ServerClient? { known[pointer] }

  func forget(_ client: ServerClient) {
    if let pointer = client.pointer { known[pointer] = nil }
  }
}
