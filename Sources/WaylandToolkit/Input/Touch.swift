internal import Wayland

/// A seat's touch screen: tells the surface that a finger came down on what it does.
@MainActor
final class Touch {
  private let proxy: WlTouch
  private weak var connection: Connection?
  private var fingers: [Int32: WeakInput] = [:]

  init(_ proxy: WlTouch, connection: Connection) {
    self.proxy = proxy
    self.connection = connection
    proxy.onEvent = { [weak self] in self?.receive($0) }
  }

  func end() {
    cancel()
    guard proxy.isAlive else { return }
    if proxy.supports(3) { proxy.release() } else { proxy.end() }
  }

  private func receive(_ event: WlTouch.Event) {
    switch event {
    case .down(let serial, _, let surface, let id, let x, let y):
      let input = connection?.input(for: surface)
      fingers[id] = WeakInput(input: input)
      let point = SurfacePoint(x: x.doubleValue, y: y.doubleValue)
      input?.onTouch?(.down(id: Int(id), at: point, serial: serial))
    case .motion(_, let id, let x, let y):
      let point = SurfacePoint(x: x.doubleValue, y: y.doubleValue)
      fingers[id]?.input?.onTouch?(.moved(id: Int(id), to: point))
    case .up(_, _, let id): fingers.removeValue(forKey: id)?.input?.onTouch?(.up(id: Int(id)))
    case .cancel: cancel()
    case .frame, .shape, .orientation: break
    }
  }

  private func cancel() {
    var told: [SurfaceInput] = []
    for input in fingers.values.compactMap(\.input) where !told.contains(where: { $0 === input }) {
      told.append(input)
    }
    fingers.removeAll()
    for input in told { input.onTouch?(.cancelled) }
  }
}
