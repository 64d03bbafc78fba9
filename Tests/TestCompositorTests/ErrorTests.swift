import KiteSystem
import TestCompositor
import Testing
import Wayland

/// The compositor answers broken rules with the protocol's errors.
@Suite struct ErrorTests {
  @Test func aBufferBeforeTheFirstAckIsAnError() throws {
    let client = try RawClient()
    let surface = client.wlCompositor.createSurface()
    let xdg = try client.bind(XdgWmBase.self).getXdgSurface(surface)
    _ = xdg.getToplevel()
    surface.commit()
    try client.settle()
    surface.attach(try client.buffer(4, 4).buffer, x: 0, y: 0)
    surface.commit()
    let error = try #require(client.protocolError())
    #expect(error.interface == "xdg_surface" && error.code == XdgSurface.Error.unconfiguredBuffer.rawValue)
    #expect(client.compositor.sentErrors.map(\.message) == [error.message])
  }

  @Test func aSerialThatWasNeverSentIsAnError() throws {
    let client = try RawClient()
    let window = try client.window()
    window.xdg.ackConfigure(4_000_000)
    #expect(client.protocolError()?.code == XdgSurface.Error.invalidSerial.rawValue)
  }

  @Test func aWindowsSurfaceMayNotEndBeforeTheWindow() throws {
    let client = try RawClient()
    let window = try client.window()
    window.surface.destroy()
    let error = try #require(client.protocolError())
    #expect(error.code == WlSurface.Error.defunctRoleObject.rawValue)
    #expect(error.message == client.compositor.sentErrors.first?.message)
  }

  enum Case: CaseIterable, Sendable {
    case outside, fractionsWithoutDestination, zeroDestination, negativeSource
  }

  @Test(arguments: Case.allCases) func viewportsAreValidated(wrong: Case) throws {
    let client = try RawClient()
    let window = try client.window()
    let viewport = try client.bind(WpViewporter.self).getViewport(window.surface)
    let expected: WpViewport.Error
    switch wrong {
    case .outside:
      viewport.setSource(x: 4, y: 0, width: 4.5, height: 8)
      viewport.setDestination(width: 10, height: 10)
      expected = .outOfBuffer
    case .fractionsWithoutDestination:
      viewport.setSource(x: 0, y: 0, width: 4.5, height: 8)
      expected = .badSize
    case .zeroDestination:
      viewport.setDestination(width: 0, height: 10)
      expected = .badValue
    case .negativeSource:
      viewport.setSource(x: -1, y: 0, width: 4, height: 8)
      expected = .badValue
    }
    window.surface.attach(try client.buffer(8, 8).buffer, x: 0, y: 0)
    window.surface.commit()
    let error = try #require(client.protocolError())
    #expect(error.interface == "wp_viewport" && error.code == expected.rawValue)
  }

  @Test func aBufferIsAMultipleOfItsScale() throws {
    let client = try RawClient()
    let window = try client.window()
    window.surface.setBufferScale(2)
    window.surface.attach(try client.buffer(8, 7).buffer, x: 0, y: 0)
    window.surface.commit()
    #expect(client.protocolError()?.code == WlSurface.Error.invalidSize.rawValue)
  }

  @Test func aFormatThatIsNotListedIsAnError() throws {
    let client = try RawClient()
    let memory = try SharedMemory(byteCount: 64 * 64, name: "test")
    let pool = client.shm.createPool(fd: memory.descriptor, size: 64 * 64)
    _ = pool.createBuffer(
      offset: 0, width: 8, height: 8, stride: 8, format: WlShm.Format(rawValue: ShmFormat.nv12.fourcc))
    #expect(client.protocolError()?.code == WlShm.Error.invalidFormat.rawValue)
  }

  @Test func aBufferLiesInsideOfItsPoolWithAllItsPlanes() throws {
    let client = try RawClient(.standard.with { $0.shmFormats.append(ShmFormat.nv12.fourcc) })
    let memory = try SharedMemory(byteCount: 64 * 64, name: "test")
    let pool = client.shm.createPool(fd: memory.descriptor, size: 64 * 64)
    _ = pool.createBuffer(
      offset: 0, width: 64, height: 64, stride: 64, format: WlShm.Format(rawValue: ShmFormat.nv12.fourcc))
    #expect(client.protocolError()?.code == WlShm.Error.invalidStride.rawValue)
  }

  @Test func anErrorOfLibwaylandItselfIsSeenByBothSides() throws {
    let client = try RawClient()
    let window = try client.window()
    // A global that was never offered.
    _ = client.registry.globals.first.map { global in
      client.queue.display.getRegistry().bind(name: global.name + 1000, WlCompositor.self, version: 1)
    }
    window.surface.commit()
    let error = try #require(client.protocolError())
    #expect(error.interface == "wl_registry")
    #expect(client.compositor.sentErrors.map(\.message) == [error.message])
  }

  @Test func aMaximizedWindowKeepsToItsSize() throws {
    let client = try RawClient()
    let window = try client.window()
    client.compositor.configure {
      $0.states.insert(.maximized)
      ($0.width, $0.height) = (100, 50)
    }
    try client.settle()
    window.surface.attach(try client.buffer(8, 8).buffer, x: 0, y: 0)
    window.surface.commit()
    let error = try #require(client.protocolError())
    #expect(error.interface == "xdg_wm_base")
    #expect(error.code == XdgWmBase.Error.invalidSurfaceState.rawValue)
  }
}
