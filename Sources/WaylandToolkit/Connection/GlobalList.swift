public import Wayland

/// What a compositor offers, as a value that any thread may look at.
public struct GlobalList: Sendable {
  /// Everything on offer, in the order of the announcements.
  public let all: [Registry.Global]

  /// The names of the interfaces on offer.
  public var interfaces: Set<String> { Set(all.map(\.interface)) }

  /// The newest version on offer of an interface; 0 when there is none.
  public func version(of interface: String) -> UInt32 {
    all.lazy.filter { $0.interface == interface }.map(\.version).max() ?? 0
  }

  /// Binds the first global of a type through `registry`, whose queue's thread this is, as the newest version
  /// that the compositor, the range and this process have in common; nil when there is none. Needs no round
  /// trip.
  public func bind<Object: WaylandObject>(
    _ type: Object.Type, versions: ClosedRange<UInt32>, through registry: WlRegistry
  ) -> Object? {
    let name = type.interface.name
    guard let global = all.first(where: { $0.interface == name && $0.version >= versions.lowerBound }) else {
      return nil
    }
    let version = min(global.version, versions.upperBound, type.interface.version)
    guard version >= versions.lowerBound else { return nil }
    return registry.bind(name: global.name, type, version: version)
  }
}
