import TestCompositor
import Testing
import Wayland

@testable import WaylandToolkit

@MainActor
@Suite struct ConnectionTests {
  @Test func formatsOutputsAndSeatsArriveWithoutBeingAskedFor() throws {
    let stage = try Stage()
    stage.actors.outputs[0].sendMode(flags: .current, width: 1920, height: 1080, refresh: 59_940)
    stage.actors.outputs[0].sendDone()
    stage.settle()
    #expect(stage.connection.shmFormats == [ShmFormats.argb8888, ShmFormats.xrgb8888, 0x3231_564e])
    #expect(stage.connection.outputs.map { $0.info?.refresh } == [59_940])
    #expect(stage.connection.seats.count == 1)
    let shared = stage.connection.shared
    #expect(shared.globals.interfaces.isSuperset(of: ["wl_compositor", "wl_shm", "xdg_wm_base"]))
    #expect(shared.globals.version(of: "wl_compositor") == 6)
    #expect(shared.globals.version(of: "nothing") == 0)
  }

  @Test(arguments: ["wl_compositor", "xdg_wm_base"])
  func aMissingGlobalIsNoErrorUntilItIsUsed(missing: String) throws {
    var offer = Offer()
    if missing == "xdg_wm_base" { offer.shell = 0 } else { offer.compositor = 0 }
    let stage = try Stage(offer)
    #expect(stage.errors == [])
    let error = #expect(throws: ToolkitError.self) {
      _ = try Window(stage.connection, title: "", appID: "", size: LogicalSize(width: 64, height: 64))
    }
    guard case .missingGlobal(missing, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.description.contains(missing) == true)
  }

  @Test func nothingButTheWindowsGlobalsIsNeeded() throws {
    let stage = try Stage(Offer(output: 0, seat: 0, subcompositor: 0, shm: 0))
    let painter = Painter()
    let window = try stage.openWindow(painter)
    #expect(painter.drawn.count == 1)
    #expect(stage.connection.viewporter == nil)
    #expect(throws: ToolkitError.self) { _ = try Subsurface(stage.connection, parent: window.surface) }
    #expect(throws: ToolkitError.self) { _ = try stage.connection.makeBuffer(of: .black) }
    #expect(stage.errors == [])
  }

  @Test func aPingIsAnswered() throws {
    let stage = try Stage()
    _ = try stage.openWindow()
    stage.actors.shells[0].sendPing(4711)
    stage.settle()
    #expect(stage.actors.log.contains("pong 4711"))
  }

  @Test func aProtocolErrorIsReportedOnceWithObjectCodeAndMessage() throws {
    let stage = try Stage()
    let window = try stage.openWindow()
    let id = window.surface.id
    stage.actors.surfaces[0].postError(code: 2, "odd size")
    stage.settle()
    stage.settle()
    let expected = ProtocolError(interface: "wl_surface", object: id, code: 2, message: "odd size")
    #expect(stage.errors == [.connection(.protocolError(expected))])
    #expect(stage.connection.error == stage.errors.first)
  }

  @Test func afterADroppedSocketEverythingIsHarmless() throws {
    let stage = try Stage()
    let painter = Painter()
    let window = try stage.openWindow(painter)
    var order: [String] = []
    stage.connection.whenLost(stage) { order.append("lost, \(painter.hidden) hidden") }
    stage.peer.disconnect()
    stage.settle()
    #expect(stage.errors.count == 1)
    #expect(order == ["lost, 1 hidden"])
    #expect(!window.isShown && window.geometry == nil)
    #expect(stage.connection.descriptor == -1)
    #expect(stage.connection.prepare() == [])
    window.setNeedsDraw()
    window.setFullscreen(true)
    window.hide()
    for _ in 0..<10_000 { window.surface.commit() }
    #expect(throws: ToolkitError.self) { try window.show() }
    #expect(throws: ToolkitError.self) {
      _ = try Window(stage.connection, title: "", appID: "", size: LogicalSize(width: 9, height: 9))
    }
    window.close()
    stage.settle()
    #expect(stage.errors.count == 1)
    stage.connection.close()
    stage.connection.close()
  }

  @Test func closingTheConnectionInsideAnEventIsSafe() throws {
    let stage = try Stage()
    let painter = Painter()
    let window = try stage.openWindow(painter)
    window.onCloseRequest = { stage.connection.close() }
    stage.actors.toplevels[0].sendClose()
    try stage.actors.configure(width: 300, height: 200, serial: 5)
    stage.settle()
    #expect(painter.hidden == 1)
    #expect(!stage.connection.isAlive)
    #expect(stage.errors == [])
    window.close()
  }

  @Test func outputsAndSeatsComeAndGo() throws {
    let stage = try Stage()
    let window = try stage.openWindow(Painter())
    stage.actors.outputs[0].sendDone()
    stage.actors.surfaces[0].sendEnter(stage.actors.outputs[0])
    stage.settle()
    #expect(window.scale.outputs.count == 1)
    var changes = 0
    stage.connection.onOutputsChange = { changes += 1 }
    stage.actors.outputGlobals[0].withdraw()
    stage.actors.seatGlobals[0].withdraw()
    stage.settle()
    #expect(stage.connection.outputs.isEmpty && stage.connection.seats.isEmpty)
    #expect(window.scale.outputs.isEmpty)
    #expect(changes == 1)
    #expect(stage.actors.log.contains("release output") && stage.actors.log.contains("release seat"))
    // Version 2 has no release request.
    let second = try stage.actors.addOutput(on: stage.server, version: 2)
    stage.settle()
    #expect(stage.connection.outputs.isEmpty)
    stage.actors.outputs[1].sendScale(2)
    stage.actors.outputs[1].sendDone()
    stage.settle()
    #expect(stage.connection.outputs.map { $0.info?.scale } == [2])
    second.withdraw()
    stage.settle()
    #expect(stage.connection.outputs.isEmpty)
    #expect(stage.errors == [])
  }

  @Test func aRendererBindsItsOwnObjectsOnItsOwnQueue() throws {
    let stage = try Stage()
    let window = try stage.openWindow(Painter())
    let shared = stage.connection.shared
    let queue = try shared.display.makeQueue()
    let source = QueueSource(queue)
    let registry = queue.display.getRegistry()
    let compositor = try #require(
      shared.globals.bind(WlCompositor.self, versions: 1...6, through: registry))
    let handle = try #require(window.surface.handle)
    stage.actors.log = []
    let wrapped = queue.wrap(handle)
    wrapped.commit()
    let own = compositor.createSurface()
    own.commit()
    _ = source.prepare()
    source.process([])
    stage.server.dispatch()
    #expect(stage.actors.log == ["commit", "commit"])
    #expect(shared.globals.bind(WlCompositor.self, versions: 7...9, through: registry) == nil)
    queue.close()
    #expect(source.descriptor == -1)
  }
}
