/// Everything that names in the emitted files may refer to.
struct Universe {
  private let interfaces: [String: (interface: Interface, protocolName: String)]

  init(_ protocols: [WireProtocol]) {
    var interfaces: [String: (interface: Interface, protocolName: String)] = [:]
    for wire in protocols {
      for interface in wire.interfaces { interfaces[interface.name] = (interface, wire.name) }
    }
    self.interfaces = interfaces
  }

  func interface(_ name: String) -> Interface? { interfaces[name]?.interface }

  /// The protocol that describes an interface.
  func home(of interface: String) -> String? { interfaces[interface]?.protocolName }

  /// The Swift type of an argument's enum as seen inside `owner`, if the enum is known.
  func enumeration(of argument: Argument, in owner: Interface) -> String? {
    guard let name = argument.enumeration else { return nil }
    let parts = name.split(separator: ".").map(String.init)
    let (holder, local) = parts.count == 2 ? (parts[0], parts[1]) : (owner.name, name)
    guard let interface = interface(holder), interface.enums.contains(where: { $0.name == local }) else {
      return nil
    }
    return "\(SwiftNames.type(holder)).\(SwiftNames.type(local))"
  }
}
