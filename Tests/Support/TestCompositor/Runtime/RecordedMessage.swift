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
  /// What was said with it, in the protocol's order.
  public let arguments: [Argument]

  /// One argument of a message.
  public enum Argument: Hashable, Sendable, CustomStringConvertible {
    /// A signed number.
    case int(Int32)
    /// An unsigned number, also of an enum.
    case uint(UInt32)
    /// A number with fractions.
    case fixed(Double)
    /// A text, or none.
    case string(String?)
    /// An object, or none.
    case object(interface: String, id: UInt32)
    /// No object.
    case none
    /// A new object.
    case newID(UInt32)
    /// Bytes.
    case array([UInt8])
    /// A file descriptor.
    case descriptor

    public var description: String {
      switch self {
      case .int(let value): "\(value)"
      case .uint(let value): "\(value)"
      case .fixed(let value): "\(value)"
      case .string(let text): text.map { "\"\($0)\"" } ?? "nil"
      case .object(let interface, let id): "\(interface)#\(id)"
      case .none: "nil"
      case .newID(let id): "new #\(id)"
      case .array(let bytes): "\(bytes.count) bytes"
      case .descriptor: "fd"
      }
    }
  }

  init(_ message: wl_protocol_logger_message, isRequest: Bool) {
    self.isRequest = isRequest
    interface = String(cString: wl_resource_get_class(message.resource))
    object = wl_resource_get_id(message.resource)
    name = message.message.pointee.name.map { String(cString: $0) } ?? ""
    arguments = Self.arguments(of: message)
  }

  public var description: String {
    let list = arguments.map(\.description).joined(separator: ", ")
    return "\(isRequest ? "→" : "←") \(interface)#\(object).\(name)(\(list))"
  }

  private static func arguments(of message: wl_protocol_logger_message) -> [Argument] {
    guard let values = message.arguments, let signature = message.message.pointee.signature else { return [] }
    // Digits say since when the message exists, question marks what may be absent: neither is an argument.
    let kinds = String(cString: signature).filter { $0.isLetter }
    return zip(kinds, 0..<Int(message.arguments_count)).map { kind, index in argument(kind, values[index]) }
  }

  private static func argument(_ kind: Character, _ value: wl_argument) -> Argument {
    switch kind {
    case "i": .int(value.i)
    case "u": .uint(value.u)
    case "f": .fixed(Double(value.f) / 256)
    case "s": .string(value.s.map { String(cString: $0) })
    case "o": object(value.o)
    // By its number also in events: libwayland has put it in the object's place by then.
    case "n": .newID(value.n)
    case "a":
      .array(
        value.a.map { [UInt8](UnsafeRawBufferPointer(start: $0.pointee.data, count: $0.pointee.size)) } ?? [])
    default: .descriptor
    }
  }

  private static func object(_ pointer: OpaquePointer?) -> Argument {
    guard let pointer else { return .none }
    return .object(
      interface: String(cString: wl_resource_get_class(pointer)), id: wl_resource_get_id(pointer))
  }
}
