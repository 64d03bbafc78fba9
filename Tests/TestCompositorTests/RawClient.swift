import Glibc
import KiteSystem
import TestCompositor
import Testing
import Wayland

/// A client of few manners, on the compositor's own thread: it says exactly what a test wants.
final class RawClient {
  let compositor: ScriptedCompositor
  let display: Display
  let queue: EventQueue
  let registry: Registry
  let wlCompositor: WlCompositor
  let shm: WlShm

  init(_ configuration: CompositorConfiguration = .standard) throws {
    compositor = try ScriptedCompositor(configuration)
    display = try Display.connect(descriptor: compositor.connect())
    queue = try display.makeQueue()
    registry = Registry(queue)
    try Self.settle(compositor, queue)
    wlCompositor = try #require(registry.bind(WlCompositor.self, versions: 1...6))
    shm = try #require(registry.bind(WlShm.self, versions: 1...1))
  }

  deinit { queue.close() }

  func bind<Object: WaylandObject>(_ type: Object.Type) throws -> Object {
    try #require(registry.bind(type, versions: 1...type.interface.version))
  }

  /// Lets both sides talk until they have nothing more to say.
  func settle() throws { try Self.settle(compositor, queue) }

  /// Settles and returns the protocol error that this brings.
  func protocolError() -> ProtocolError? {
    do { try settle() } catch WaylandError.protocolError(let error) { return error } catch { return nil }
    return nil
  }

  private static func settle(_ compositor: ScriptedCompositor, _ queue: EventQueue) throws {
    for _ in 0..<3 {
      try queue.connection.flush()
      compositor.step()
      if let prepared = queue.prepareRead() {
        var descriptor = pollfd(fd: queue.connection.descriptor, events: Int16(POLLIN), revents: 0)
        if poll(&descriptor, 1, 0) > 0 { try prepared.read() }
      }
      try queue.dispatchPending()
    }
  }

  /// A buffer of one colour (0xRRGGBB).
  func buffer(_ width: Int, _ height: Int, rgb: UInt32 = 0) throws -> (buffer: WlBuffer, memory: SharedMemory)
  {
    let memory = try SharedMemory(byteCount: width * height * 4, name: "test")
    memory.baseAddress.bindMemory(to: UInt32.self, capacity: width * height)
      .update(repeating: rgb, count: width * height)
    let pool = shm.createPool(fd: memory.descriptor, size: Int32(memory.byteCount))
    let buffer = pool.createBuffer(
      offset: 0, width: Int32(width), height: Int32(height), stride: Int32(width * 4), format: .xrgb8888)
    pool.destroy()
    return (buffer, memory)
  }

  /// A window that has acked its first configure and shows nothing yet.
  func window() throws -> (surface: WlSurface, xdg: XdgSurface, toplevel: XdgToplevel) {
    let surface = wlCompositor.createSurface()
    let xdg = try bind(XdgWmBase.self).getXdgSurface(surface)
    let toplevel = xdg.getToplevel()
    xdg.onEvent = { [weak xdg] event in
      if case .configure(let serial) = event { xdg?.ackConfigure(serial) }
    }
    surface.commit()
    try settle()
    return (surface, xdg, toplevel)
  }
}
