public import Wayland

/// A group of a keyboard, a pointer and a touch screen that belong to one person.
@MainActor
public final class Seat: Identifiable {
  /// Tells seats of one connection apart.
  public nonisolated let id: UInt32
  /// The protocol object, for requests that name a seat.
  public let proxy: WlSeat
  /// Its name, such as `seat0`; empty before `wl_seat` version 2.
  public private(set) var name = ""
  private unowned let connection: Connection

  init(id: UInt32, proxy: WlSeat, connection: Connection) {
    self.id = id
    self.proxy = proxy
    self.connection = connection
    proxy.onEvent = { [weak self] in self?.receive($0) }
  }

  private func receive(_ event: WlSeat.Event) {
    switch event {
    case .name(let name): self.name = name
    case .capabilities: break
    }
  }

  func end() {
    guard proxy.isAlive else { return }
    if proxy.supports(5) { proxy.release() } else { proxy.end() }
  }
}

extension Connection {
  func addSeat(_ global: Registry.Global) {
    guard let proxy = registry.bind(global, WlSeat.self, versions: 1...9) else { return }
    seats.append(Seat(id: global.name, proxy: proxy, connection: self))
    onSeatsChange?()
  }

  func removeSeat(_ global: Registry.Global) {
    guard let index = seats.firstIndex(where: { $0.id == global.name }) else { return }
    seats.remove(at: index).end()
    onSeatsChange?()
  }
}
