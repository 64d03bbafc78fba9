import Glibc
import TestCompositor
import Testing
import Wayland

/// A client and a compositor in this process and on this thread, stepped by hand.
final class Pair {
  let server: ServerDisplay
  let peer: ServerClient
  let connection: Display
  let queue: EventQueue
  let registry: Registry

  init(_ globals: (ServerDisplay) throws -> Void = { _ in }) throws {
    server = try ServerDisplay()
    try globals(server)
    let (peer, descriptor) = try server.connectClient()
    self.peer = peer
    connection = try Display.connect(descriptor: descriptor)
    queue = try connection.makeQueue()
    registry = Registry(queue)
    try settle()
  }

  deinit { queue.close() }

  /// Lets both sides talk until they have nothing more to say.
  func settle(_ queues: [EventQueue] = []) throws {
    for _ in 0..<3 {
      try connection.flush()
      server.dispatch()
      for queue in [queue] + queues {
        try read(queue)
        try queue.dispatchPending()
      }
    }
  }

  /// Settles, expecting that the connection breaks.
  func settleUntilError() -> WaylandError? {
    do { try settle() } catch { return error as? WaylandError }
    return nil
  }

  private func read(_ queue: EventQueue) throws {
    guard let prepared = queue.prepareRead() else { return }
    var descriptor = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
    if poll(&descriptor, 1, 0) > 0 { try prepared.read() }
  }

  func bind<Object: WaylandObject>(_ type: Object.Type) throws -> Object {
    try #require(registry.bind(type, versions: 1...type.interface.version))
  }
}

/// A compositor's side that keeps what clients made.
final class Kept {
  var compositors: [WlCompositorResource] = []
  var surfaces: [WlSurfaceResource] = []
  var outputs: [WlOutputResource] = []
  var requests: [String] = []

  func offer(on server: ServerDisplay) throws {
    try server.addGlobal(WlCompositorResource.self, version: WlCompositor.interface.version) { compositor in
      self.compositors.append(compositor)
      compositor.onRequest = { [weak self] in
        guard case .createSurface(let surface) = $0 else { return }
        self?.surfaces.append(surface)
        surface.onRequest = { self?.requests.append("\($0)") }
      }
    }
    try server.addGlobal(WlOutputResource.self, version: 4) { self.outputs.append($0) }
  }
}
