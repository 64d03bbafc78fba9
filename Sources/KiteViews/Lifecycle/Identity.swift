import KiteCore

/// A player, compared by identity.
struct PlayerReference: Hashable {
  let player: any Player

  init(_ player: any Player) { self.player = player }

  static func == (a: PlayerReference, b: PlayerReference) -> Bool { a.player === b.player }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(player)) }
}

/// A factory, compared by identity.
struct FactoryReference: Hashable {
  let factory: any RendererFactory

  init(_ factory: any RendererFactory) { self.factory = factory }

  static func == (a: FactoryReference, b: FactoryReference) -> Bool { a.factory === b.factory }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(factory)) }
}
