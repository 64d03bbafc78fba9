internal import CWayland
internal import Glibc

/// What can go wrong with a connection.
public enum WaylandError: Error, Equatable, Sendable {
  /// There was no compositor to connect to.
  case connectFailed(ConnectFailure)
  /// The connection broke: the compositor ended, or what it sent made no sense (`EPROTO`).
  case disconnected(errno: Int32)
  /// The compositor closed the connection because this process broke a rule.
  case protocolError(ProtocolError)
  /// The compositor did not answer in time.
  case timedOut(Duration)
  /// The queue was closed before.
  case closed
  /// libwayland could not allocate memory.
  case outOfMemory

  init(display: OpaquePointer, errno code: Int32, logged line: ProtocolErrorLog.Line?) {
    var interface: UnsafePointer<wl_interface>?
    var object: UInt32 = 0
    // Errors of wl_display itself come with other numbers than EPROTO, but with their interface.
    let number = wl_display_get_protocol_error(display, &interface, &object)
    guard let name = interface?.pointee.name else {
      // An error about an object that this process has ended: libwayland has forgotten what it was.
      let ended = code == EPROTO ? ProtocolErrorLog.messageOfEndedObject(code: number, in: line) : nil
      self =
        ended.map { .protocolError(ProtocolError(interface: "", object: 0, code: number, message: $0)) }
        ?? .disconnected(errno: code)
      return
    }
    let interfaceName = String(cString: name)
    let message = ProtocolErrorLog.message(
      interface: interfaceName, object: object, code: number, in: line)
    self = .protocolError(
      ProtocolError(interface: interfaceName, object: object, code: number, message: message))
  }
}

/// A rule of the protocol that this process broke, in the compositor's words.
public struct ProtocolError: Error, Equatable, Sendable {
  /// The interface of the object, such as `xdg_surface`; empty for an object that this process had ended.
  public let interface: String
  /// The object's number on the wire; 0 for one that this process had ended.
  public let object: UInt32
  /// The error's number, one of the interface's error enum.
  public let code: UInt32
  /// The compositor's text; empty on a connection that other code made.
  public let message: String

  /// Describes an error.
  public init(interface: String, object: UInt32, code: UInt32, message: String) {
    self.interface = interface
    self.object = object
    self.code = code
    self.message = message
  }
}

extension WaylandError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .connectFailed(let failure): return failure.description
    case .disconnected(let code):
      let reason = code == EPIPE ? "the compositor ended or closed it" : String(cString: strerror(code))
      return "the connection to the compositor broke: \(reason). Connect again and make all objects anew."
    case .protocolError(let error):
      let object = error.interface.isEmpty ? "an object that had ended" : "\(error.interface)#\(error.object)"
      return
        "the compositor closed the connection because of a protocol error: \(object),"
        + " code \(error.code): \(error.message)"
    case .timedOut(let duration): return "the compositor did not answer within \(duration)"
    case .closed: return "the event queue was closed before"
    case .outOfMemory: return "libwayland could not allocate memory"
    }
  }
}
