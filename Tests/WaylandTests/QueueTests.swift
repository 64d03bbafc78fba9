import TestCompositor
import Testing
import Wayland

@Suite struct QueueTests {
  @Test func whatAWrapperMakesBelongsToItsQueue() throws {
    let kept = Kept()
    let pair = try Pair(kept.offer)
    let other = try pair.connection.makeQueue()
    let surface = try pair.bind(WlCompositor.self).createSurface()
    var onSurface = 0
    surface.onEvent = { _ in onSurface += 1 }
    var callbacks: [WlCallbackResource] = []
    try pair.settle()
    kept.surfaces[0].onRequest = { if case .frame(let callback) = $0 { callbacks.append(callback) } }

    let wrapper = try other.wrap(#require(surface.handle))
    #expect(wrapper.id == surface.id && wrapper.version == surface.version)
    var done = 0
    wrapper.frame().onEvent = { _ in done += 1 }
    try pair.settle()
    callbacks[0].sendDone(1)
    try pair.settle()
    #expect(done == 0, "the main queue does not dispatch the other queue's events")
    try pair.settle([other])
    #expect(done == 1)

    _ = try pair.bind(WlOutput.self)
    try pair.settle([other])
    kept.surfaces[0].sendEnter(kept.outputs[0])
    try pair.settle([other])
    #expect(onSurface == 1, "the surface's own events stay where they were")
    other.close()
    #expect(!wrapper.isAlive && surface.isAlive)
  }

  @Test func aWrapperIsGoneWithItsLastReference() throws {
    let kept = Kept()
    let pair = try Pair(kept.offer)
    let surface = try pair.bind(WlCompositor.self).createSurface()
    weak var wrapper: WlSurface?
    do {
      let made = try pair.queue.wrap(#require(surface.handle))
      wrapper = made
      made.commit()
    }
    #expect(wrapper == nil)
    try pair.settle()
    #expect(kept.requests == ["commit"])
  }
}
