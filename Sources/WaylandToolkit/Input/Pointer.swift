internal import Wayland

/// A seat's pointer: tells the surface below it what it does, and looks as that surface wants.
@MainActor
final class Pointer {
  private let proxy: WlPointer
  private weak var connection: Connection?
  private var frame: PointerFrame<ObjectIdentifier>
  private weak var focus: SurfaceInput?
  private var look: PointerLook

  init(_ proxy: WlPointer, connection: Connection) {
    self.proxy = proxy
    self.connection = connection
    frame = PointerFrame(version: proxy.version)
    look = PointerLook(proxy, connection: connection)
    proxy.onEvent = { [weak self] in self?.receive($0) }
  }

  func end() {
    leave()
    look.end()
    guard proxy.isAlive else { return }
    if proxy.supports(3) { proxy.release() } else { proxy.end() }
  }

  private func receive(_ event: WlPointer.Event) {
    for step in frame.receive(event, { ObjectIdentifier($0) }) {
      switch step {
      case .left: leave()
      case .entered(let surface, let point, let serial):
        leave()
        enter(connection?.surfaceInputs[surface]?.input, point, serial: serial)
      case .happened(let event): focus?.onPointer?(event)
      }
    }
  }

  private func enter(_ input: SurfaceInput?, _ point: SurfacePoint, serial: UInt32) {
    guard let input else { return }
    focus = input
    input.onCursorChange = { [weak self, weak input] in
      guard let input else { return }
      self?.look.show(input.cursor)
    }
    look.entered(serial: serial)
    look.show(input.cursor)
    input.onPointer?(.entered(point))
  }

  private func leave() {
    guard let old = focus else { return }
    focus = nil
    old.onCursorChange = nil
    look.left()
    old.onPointer?(.left)
  }
}
