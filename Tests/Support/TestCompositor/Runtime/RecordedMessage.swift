internal import CWaylandServer

/// A message that went over the wire.
public struct RecordedMessage: Hashable, Sendable, CustomStringConvertible {
  /// Whether the client sent it.
  public let isRequest: Bool
  /// The interface of the object.
  public let interface: String
  /// The object's number.
  public let object: UInt32
  /// The message's name.
  public let name: String

  init(_ message: wl_protocol_logger_message, isRequest: Bool) {
    self.isRequest = isRequest
    interface = String(cString: wl_resource_get_class(message.resource))
    object = wl_resource_get_id(message.resource)
    name = message.message.pointee.name.map { String(cString: $0) } ?? ""
  }

  public var description: String { "\(isRequest ? "→" : "←") \(interface)#\(object).\(name)" }
}
