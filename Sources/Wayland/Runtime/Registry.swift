/// What a compositor offers, and as what version.
///
/// A registry belongs to the thread of its queue. After the first roundtrip `globals` is complete; a global
/// that is missing is no error until somebody needs it.
public final class Registry {
  /// One thing on offer.
  public struct Global: Hashable, Sendable {
    /// The number to bind it by.
    public let name: UInt32
    /// The name of its interface.
    public let interface: String
    /// The newest version that the compositor speaks.
    public let version: UInt32
  }

  /// Everything on offer, in the order of the announcements.
  public private(set) var globals: [Global] = []
  /// Called when something is on offer, after `globals` has it.
  public var onAdded: ((Global) -> Void)?
  /// Called when something is no longer on offer, after `globals` lost it. Objects bound to it stay, but are
  /// of no use.
  public var onRemoved: ((Global) -> Void)?
  private let proxy: WlRegistry

  /// Asks for the globals; they arrive with the queue's events.
  public init(_ queue: EventQueue) {
    proxy = queue.display.getRegistry()
    proxy.onEvent = { [weak self] event in self?.receive(event) }
  }

  /// Binds the first global of a type whose version reaches `versions.lowerBound`, as the newest version that
  /// the compositor, the range, and the emitted code have in common. `nil` if there is none.
  public func bind<Object: WaylandObject>(_ type: Object.Type, versions: ClosedRange<UInt32>) -> Object? {
    let name = type.interface.name
    guard let global = globals.first(where: { $0.interface == name && $0.version >= versions.lowerBound })
    else {
      return nil
    }
    return bind(global, type, versions: versions)
  }

  /// Binds one certain global; `nil` if it is of another interface, or older than the range.
  public func bind<Object: WaylandObject>(
    _ global: Global, _ type: Object.Type, versions: ClosedRange<UInt32>
  ) -> Object? {
    let version = min(global.version, versions.upperBound, type.interface.version)
    guard global.interface == type.interface.name, version >= versions.lowerBound else { return nil }
    return proxy.bind(name: global.name, type, version: version)
  }

  private func receive(_ event: WlRegistry.Event) {
    switch event {
    case .global(let name, let interface, let version):
      let global = Global(name: name, interface: interface, version: version)
      globals.append(global)
      onAdded?(global)
    case .globalRemove(let name):
      guard let index = globals.firstIndex(where: { $0.name == name }) else { return }
      let global = globals.remove(at: index)
      onRemoved?(global)
    }
  }
}
