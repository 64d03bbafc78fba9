import TestCompositor
import Testing
import Wayland

@Suite struct ObjectTests {
  @Test func requestsArriveAsTheyWereSent() throws {
    let kept = Kept()
    let pair = try Pair(kept.offer)
    let surface = try pair.bind(WlCompositor.self).createSurface()
    surface.attach(nil, x: 0, y: 0)
    surface.damageBuffer(x: 1, y: -2, width: 3, height: 4)
    surface.setBufferTransform(.flipped90)
    surface.commit()
    try pair.settle()
    #expect(
      kept.requests == [
        "attach(buffer: nil, x: 0, y: 0)", "damageBuffer(x: 1, y: -2, width: 3, height: 4)",
        "setBufferTransform(transform: Wayland.WlOutput.Transform(rawValue: 5))", "commit",
      ])
  }

  @Test func anEventCarriesTheVeryObjectThatTheClientHolds() throws {
    let kept = Kept()
    let pair = try Pair(kept.offer)
    let output = try pair.bind(WlOutput.self)
    let surface = try pair.bind(WlCompositor.self).createSurface()
    var entered: WlOutput?
    surface.onEvent = { if case .enter(let output) = $0 { entered = output } }
    try pair.settle()
    try kept.surfaces[0].sendEnter(#require(kept.outputs.first))
    try pair.settle()
    #expect(entered === output)
  }

  @Test func anEventThatNamesADestroyedObjectCarriesNone() throws {
    let kept = Kept()
    let pair = try Pair(kept.offer)
    let output = try pair.bind(WlOutput.self)
    let surface = try pair.bind(WlCompositor.self).createSurface()
    var events: [WlSurface.Event] = []
    surface.onEvent = { events.append($0) }
    try pair.settle()
    kept.surfaces[0].sendEnter(kept.outputs[0])
    output.release()
    try pair.settle()
    #expect(events.count == 1)
    guard case .enter(output: nil) = events.first else {
      Issue.record("expected no output in \(events)")
      return
    }
  }

  @Test func anUnknownValueOfAnEnumSurvives() throws {
    let kept = Kept()
    let pair = try Pair(kept.offer)
    let output = try pair.bind(WlOutput.self)
    var transform: WlOutput.Transform?
    output.onEvent = {
      if case .geometry(_, _, _, _, _, _, _, let value) = $0 { transform = value }
    }
    try pair.settle()
    kept.outputs[0].sendGeometry(
      x: 0, y: 0, physicalWidth: 0, physicalHeight: 0, subpixel: .unknown, make: "m", model: "ö",
      transform: WlOutput.Transform(rawValue: 77))
    try pair.settle()
    #expect(transform?.rawValue == 77)
  }

  @Test func anObjectIsKeptAndHeardUntilItEnds() throws {
    let kept = Kept()
    let pair = try Pair(kept.offer)
    var heard = 0
    weak var weakSurface: WlSurface?
    do {
      let surface = try pair.bind(WlCompositor.self).createSurface()
      surface.onEvent = { _ in heard += 1 }
      weakSurface = surface
    }
    try pair.settle()
    _ = try pair.bind(WlOutput.self)
    try pair.settle()
    kept.surfaces[0].sendEnter(kept.outputs[0])
    try pair.settle()
    #expect(heard == 1)
    weakSurface?.destroy()
    #expect(weakSurface == nil)
  }

  @Test func anObjectMayEndItselfInsideItsHandler() throws {
    final class Token {}
    let kept = Kept()
    let pair = try Pair(kept.offer)
    let surface = try pair.bind(WlCompositor.self).createSurface()
    _ = try pair.bind(WlOutput.self)
    weak var captured: Token?
    var heard = 0
    do {
      let token = Token()
      captured = token
      surface.onEvent = { _ in
        heard += 1
        withExtendedLifetime(token) { surface.destroy() }
      }
    }
    try pair.settle()
    // Two events are under way, the second finds nobody.
    kept.surfaces[0].sendEnter(kept.outputs[0])
    kept.surfaces[0].sendLeave(kept.outputs[0])
    try pair.settle()
    #expect(heard == 1)
    #expect(!surface.isAlive)
    #expect(captured == nil, "the handler is released with the object")
    #expect(kept.surfaces[0].isAlive == false)
  }

  @Test func aDestructorEventEndsTheObjectBeforeItIsHeard() throws {
    let kept = Kept()
    let pair = try Pair(kept.offer)
    let surface = try pair.bind(WlCompositor.self).createSurface()
    var callbacks: [WlCallbackResource] = []
    try pair.settle()
    kept.surfaces[0].onRequest = { if case .frame(let callback) = $0 { callbacks.append(callback) } }
    let callback = surface.frame()
    var done: [(time: UInt32, alive: Bool)] = []
    callback.onEvent = { [weak callback] event in
      if case .done(let time) = event { done.append((time, callback?.isAlive ?? true)) }
    }
    try pair.settle()
    callbacks[0].sendDone(42)
    try pair.settle()
    #expect(done.map(\.time) == [42])
    #expect(done.map(\.alive) == [false])
    #expect(!callbacks[0].isAlive)
  }

  @Test func aLongStringIsCutInsteadOfCostingTheConnection() throws {
    var titles: [String] = []
    let kept = Kept()
    let pair = try Pair { server in
      try kept.offer(on: server)
      try server.addGlobal(XdgWmBaseResource.self, version: 6) { base in
        base.onRequest = {
          guard case .getXdgSurface(let surface, _) = $0 else { return }
          surface.onRequest = {
            guard case .getToplevel(let toplevel) = $0 else { return }
            toplevel.onRequest = { if case .setTitle(let title) = $0 { titles.append(title) } }
          }
        }
      }
    }
    let surface = try pair.bind(WlCompositor.self).createSurface()
    let toplevel = try pair.bind(XdgWmBase.self).getXdgSurface(surface).getToplevel()
    toplevel.setTitle(String(repeating: "ö", count: 9000) + "!")
    toplevel.setTitle("short")
    try pair.settle()
    #expect(titles == [String(repeating: "ö", count: WireArgument.longestString / 2), "short"])
  }

  @Test func anEventCanBringAnObject() throws {
    var devices: [WlDataDeviceResource] = []
    let pair = try Pair { server in
      try server.addGlobal(WlSeatResource.self, version: 5) { _ in }
      try server.addGlobal(WlDataDeviceManagerResource.self, version: 3) { manager in
        manager.onRequest = { if case .getDataDevice(let device, _) = $0 { devices.append(device) } }
      }
    }
    let device = try pair.bind(WlDataDeviceManager.self).getDataDevice(pair.bind(WlSeat.self))
    var offers: [WlDataOffer] = []
    var types: [String] = []
    device.onEvent = {
      guard case .dataOffer(let offer) = $0 else { return }
      offers.append(offer)
      offer.onEvent = { if case .offer(let type) = $0 { types.append(type) } }
    }
    try pair.settle()
    let offer = pair.peer.makeResource(WlDataOfferResource.self, version: 3)
    devices[0].sendDataOffer(offer)
    offer.sendOffer("text/plain")
    try pair.settle()
    #expect(offers.map(\.id) == [offer.id])
    #expect(types == ["text/plain"])
    offers[0].destroy()
    try pair.settle()
    #expect(!offer.isAlive)
  }
}
