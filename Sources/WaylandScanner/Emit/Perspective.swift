/// What differs between the two ends of the wire.
struct Perspective {
  let side: ProtocolScanner.Side
  let universe: Universe

  /// The class for the objects of an interface: `WlSurface` for the client, `WlSurfaceResource` for the
  /// server.
  func className(_ interface: String) -> String {
    SwiftNames.type(interface) + (side == .server ? "Resource" : "")
  }

  /// The class that stands for objects of interfaces that nothing describes.
  var baseClass: String { side == .client ? "Proxy" : "Resource" }
  var baseProtocol: String { side == .client ? "WaylandObject" : "WaylandResource" }

  func received(by interface: Interface) -> [Message] {
    side == .client ? interface.events : interface.requests
  }

  func sent(by interface: Interface) -> [Message] {
    side == .client ? interface.requests : interface.events
  }

  /// Whether libwayland-server plays this part by itself, so that there is no class for it.
  func isBuiltIn(_ interface: Interface) -> Bool {
    side == .server && ["wl_display", "wl_registry"].contains(interface.name)
  }

  /// The class of an object argument.
  func objectType(_ argument: Argument) -> String {
    guard let interface = argument.interface.flatMap(universe.interface), !isBuiltIn(interface) else {
      return baseClass
    }
    return className(interface.name)
  }

  /// The Swift type of a value that arrives.
  func receivedType(_ argument: Argument, in owner: Interface) -> String {
    switch argument.kind {
    case .object: return objectType(argument) + "?"
    case .descriptor: return "ReceivedDescriptor"
    default: return plainType(argument, in: owner)
    }
  }

  /// The Swift type of a value that is sent.
  func sentType(_ argument: Argument, in owner: Interface) -> String {
    switch argument.kind {
    case .object: return objectType(argument) + (argument.isNullable ? "?" : "")
    case .descriptor: return "Int32"
    default: return plainType(argument, in: owner)
    }
  }

  private func plainType(_ argument: Argument, in owner: Interface) -> String {
    if let enumeration = universe.enumeration(of: argument, in: owner) { return enumeration }
    switch argument.kind {
    case .int, .descriptor: return "Int32"
    case .uint: return "UInt32"
    case .fixed: return "WaylandFixed"
    case .string: return argument.isNullable ? "String?" : "String"
    case .object, .newID: return objectType(argument)
    case .array: return "[UInt8]"
    }
  }
}
