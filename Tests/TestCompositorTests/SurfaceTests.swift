import KiteSystem
import TestCompositor
import Testing
import Wayland

/// Surfaces behave as the protocol says.
@Suite struct SurfaceTests {
  @Test func nothingShowsBeforeTheCommit() throws {
    let client = try RawClient()
    let window = try client.window()
    window.surface.attach(try client.buffer(8, 6, rgb: 0xFF0000).buffer, x: 0, y: 0)
    try client.settle()
    #expect(client.compositor.window?.surface.isMapped == false)
    window.surface.commit()
    try client.settle()
    let surface = try #require(client.compositor.window?.surface)
    #expect(surface.isMapped && surface.size == SurfaceSize(8, 6))
    #expect(client.compositor.screenshot()?[0, 0] == Picture.Pixel(rgb: 0xFF0000))
  }

  @Test func aSynchronizedSubsurfaceWaitsForItsParent() throws {
    let client = try RawClient()
    let window = try client.window()
    let child = client.wlCompositor.createSurface()
    let subsurface = try client.bind(WlSubcompositor.self).getSubsurface(child, parent: window.surface)
    subsurface.setPosition(x: 2, y: 1)
    window.surface.attach(try client.buffer(8, 8, rgb: 0x0000FF).buffer, x: 0, y: 0)
    window.surface.commit()
    child.attach(try client.buffer(2, 2, rgb: 0x00FF00).buffer, x: 0, y: 0)
    child.commit()
    try client.settle()
    #expect(client.compositor.screenshot()?[2, 1] == Picture.Pixel(rgb: 0x0000FF))
    window.surface.commit()
    try client.settle()
    let picture = try #require(client.compositor.screenshot())
    #expect(picture[2, 1] == Picture.Pixel(rgb: 0x00FF00) && picture[1, 1] == Picture.Pixel(rgb: 0x0000FF))
    #expect(picture[3, 2] == Picture.Pixel(rgb: 0x00FF00) && picture[4, 2] == Picture.Pixel(rgb: 0x0000FF))
  }

  @Test func aDesynchronizedSubsurfaceDoesNotWait() throws {
    let client = try RawClient()
    let window = try client.window()
    let child = client.wlCompositor.createSurface()
    let subsurface = try client.bind(WlSubcompositor.self).getSubsurface(child, parent: window.surface)
    window.surface.attach(try client.buffer(8, 8).buffer, x: 0, y: 0)
    window.surface.commit()
    subsurface.setDesync()
    child.attach(try client.buffer(2, 2, rgb: 0x00FF00).buffer, x: 0, y: 0)
    child.commit()
    // A place is the parent's state, and waits.
    subsurface.setPosition(x: 4, y: 4)
    try client.settle()
    #expect(client.compositor.screenshot()?[0, 0] == Picture.Pixel(rgb: 0x00FF00))
    window.surface.commit()
    try client.settle()
    #expect(client.compositor.screenshot()?[4, 4] == Picture.Pixel(rgb: 0x00FF00))
    #expect(client.compositor.screenshot()?[0, 0] == .black)
  }

  @Test func aNullBufferHidesTheWindowAndTheHandshakeBeginsAnew() throws {
    let client = try RawClient()
    let window = try client.window()
    window.surface.attach(try client.buffer(8, 8).buffer, x: 0, y: 0)
    window.surface.commit()
    window.surface.attach(nil, x: 0, y: 0)
    window.surface.commit()
    try client.settle()
    #expect(client.compositor.window?.surface.isMapped == false)
    window.surface.attach(try client.buffer(8, 8).buffer, x: 0, y: 0)
    window.surface.commit()
    #expect(client.protocolError()?.code == XdgSurface.Error.unconfiguredBuffer.rawValue)
  }

  @Test(arguments: [(0, 0), (1, 56), (2, 63), (3, 7), (4, 7), (5, 0), (6, 56), (7, 63)])
  func aTransformIsUndone(transform: Int, corner: Int) throws {
    // One red pixel in the corner to which the transform brings the picture's top left: mirrored, then turned
    // counter-clockwise.
    let client = try RawClient()
    let window = try client.window()
    let (buffer, memory) = try client.buffer(8, 8, rgb: 0x00FF00)
    memory.baseAddress.storeBytes(of: 0xFF0000, toByteOffset: corner * 4, as: UInt32.self)
    window.surface.setBufferTransform(WlOutput.Transform(rawValue: UInt32(transform)))
    window.surface.attach(buffer, x: 0, y: 0)
    window.surface.commit()
    try client.settle()
    let picture = try #require(client.compositor.screenshot())
    #expect(picture[0, 0] == Picture.Pixel(rgb: 0xFF0000))
    #expect(picture[1, 0] == Picture.Pixel(rgb: 0x00FF00))
  }

  @Test func outputsAreEnteredAndLeft() throws {
    let client = try RawClient()
    let output = try client.bind(WlOutput.self)
    let window = try client.window()
    var events: [String] = []
    window.surface.onEvent = { event in
      switch event {
      case .enter(let entered): events.append(entered === output ? "enter" : "enter another")
      case .leave: events.append("leave")
      case .preferredBufferScale(let scale): events.append("scale \(scale)")
      case .preferredBufferTransform: break
      }
    }
    window.surface.attach(try client.buffer(8, 8).buffer, x: 0, y: 0)
    window.surface.commit()
    try client.settle()
    client.compositor.setScale(180)
    client.compositor.removeOutput(named: "TEST-1")
    try client.settle()
    #expect(events == ["enter", "scale 2", "leave"])
  }
}
