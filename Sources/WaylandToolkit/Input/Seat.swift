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
  private weak var connection: Connection?
  private var keyboard: Keyboard?
  private var pointer: Pointer?
  private var touch: Touch?

  /// Whether there is a keyboard now.
  public var hasKeyboard: Bool { keyboard != nil }
  /// Whether there is a pointer now.
  public var hasPointer: Bool { pointer != nil }
  /// Whether there is a touch screen now.
  public var hasTouch: Bool { touch != nil }

  init(id: UInt32, proxy: WlSeat, connection: Connection) {
    self.id = id
    self.proxy = proxy
    self.connection = connection
    proxy.onEvent = { [weak self] in self?.receive($0) }
  }

  private func receive(_ event: WlSeat.Event) {
    switch event {
    case .name(let name): self.name = name
    case .capabilities(let capabilities): update(capabilities)
    }
  }

  /// Devices come and go as they are plugged in and out.
  private func update(_ capabilities: WlSeat.Capability) {
    guard let connection else { return }
    if !capabilities.contains(.keyboard) {
      keyboard?.end()
      keyboard = nil
    } else if keyboard == nil {
      keyboard = Keyboard(proxy.getKeyboard(), connection: connection)
    }
    if !capabilities.contains(.pointer) {
      pointer?.end()
      pointer = nil
    } else if pointer == nil {
      pointer = Pointer(proxy.getPointer(), connection: connection)
    }
    if !capabilities.contains(.touch) {
      touch?.end()
      touch = nil
    } else if touch == nil {
      touch = Touch(proxy.getTouch(), connection: connection)
    }
  }

  func end() {
    update([])
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
