import TestCompositor
import Testing
import Wayland

@testable import WaylandToolkit

@MainActor
@Suite struct WindowTests {
  @Test func theFirstCommitIsEmptyAndTheAckComesBeforeTheBuffer() throws {
    let stage = try Stage()
    let painter = Painter()
    let window = try Window(
      stage.connection, title: "A title", appID: "an.app", size: LogicalSize(width: 640, height: 360))
    window.content = painter
    stage.settle()
    #expect(stage.actors.log == [])
    try window.show()
    stage.settle()
    #expect(stage.actors.log == ["title A title", "app id an.app", "commit"])
    stage.actors.log = []
    try stage.actors.configure(width: 0, height: 0, serial: 77)
    stage.settle()
    #expect(
      stage.actors.log == [
        "ack 77", "geometry 640x360", "pool 921600", "buffer 640x360 at 0 stride 2560 format 1", "attach",
        "commit",
      ])
    #expect(window.geometry?.size == LogicalSize(width: 640, height: 360))
    window.close()
  }

  @Test func aStormOfConfiguresIsOneAckAndOneDrawing() throws {
    let stage = try Stage()
    let painter = Painter()
    let window = try stage.openWindow(painter)
    stage.actors.log = []
    for serial in 100..<200 as Range<UInt32> {
      try stage.actors.configure(width: Int32(serial) + 400, height: 300, serial: serial)
    }
    stage.settle()
    #expect(stage.actors.log.filter { $0.hasPrefix("ack") } == ["ack 199"])
    #expect(stage.actors.log.filter { $0 == "commit" } == ["commit"])
    #expect(painter.drawn.last?.size == LogicalSize(width: 599, height: 300))
    #expect(window.geometry == painter.drawn.last)
  }

  @Test func statesReachTheContentAndTheObserver() throws {
    let stage = try Stage()
    let painter = Painter()
    let window = try stage.openWindow(painter)
    var seen: [WindowState] = []
    window.onGeometryChange = { seen.append($0.state) }
    let steps: [(XdgToplevel.State, WindowState)] = [
      (.fullscreen, .fullscreen), (.maximized, .maximized), (.suspended, .suspended),
      (.tiledLeft, .tiledLeft),
    ]
    for (wire, state) in steps {
      try stage.actors.configure(width: 800, height: 600, states: [wire], serial: stage.server.nextSerial)
      stage.settle()
      #expect(painter.drawn.last?.state == state)
    }
    #expect(seen == steps.map(\.1))
  }

  @Test func wishesBeforeShowAreSentWithIt() throws {
    let stage = try Stage()
    let window = try Window(
      stage.connection, title: "", appID: "", size: LogicalSize(width: 640, height: 360))
    window.setFullscreen(true)
    window.title = "Later"
    try window.show()
    stage.settle()
    #expect(stage.actors.log == ["title Later", "app id ", "fullscreen", "commit"])
    window.setFullscreen(false)
    window.minimize()
    stage.settle()
    #expect(stage.actors.log.suffix(2) == ["no fullscreen", "minimized"])
  }

  @Test func closingEndsTheObjectsInTheOrderOfTheProtocol() throws {
    var offer = Offer()
    offer.decoration = 1
    let stage = try Stage(offer)
    let painter = Painter()
    let window = try stage.openWindow(painter)
    #expect(window.decoration == .server)
    #expect(stage.actors.log.contains("decoration 2"))
    stage.actors.log = []
    window.close()
    window.close()
    window.hide()
    window.setNeedsDraw()
    window.setFullscreen(true)
    window.title = "gone"
    stage.settle()
    #expect(
      stage.actors.log.filter { $0.hasPrefix("destroy") } == [
        "destroy decoration", "destroy toplevel", "destroy xdg_surface", "destroy surface",
      ])
    #expect(painter.hidden == 1)
    #expect(throws: ToolkitError.closed) { try window.show() }
    #expect(stage.errors == [])
  }

  @Test func aWindowThatNobodyHoldsEnds() throws {
    let stage = try Stage()
    var window: Window? = try stage.openWindow()
    #expect(window != nil)
    stage.actors.log = []
    window = nil
    stage.settle()
    #expect(stage.actors.log == ["destroy toplevel", "destroy xdg_surface", "destroy surface"])
  }

  @Test func closingInsideItsOwnEventsIsSafe() throws {
    let stage = try Stage()
    let painter = Painter()
    let window = try stage.openWindow(painter)
    window.onCloseRequest = { window.close() }
    stage.actors.toplevels[0].sendClose()
    try stage.actors.configure(width: 300, height: 200, serial: 5)
    stage.settle()
    #expect(!window.surface.isAlive)

    let second = try stage.openWindow(painter)
    painter.whenDrawing = { $0.close() }
    try stage.actors.configure(width: 300, height: 200, serial: 6)
    stage.settle()
    #expect(!second.surface.isAlive)
    #expect(stage.errors == [])
  }

  @Test func aHiddenWindowComesBackWithANewRole() throws {
    let stage = try Stage()
    let painter = Painter()
    let window = try stage.openWindow(painter)
    stage.actors.log = []
    window.hide()
    stage.settle()
    #expect(stage.actors.log == ["destroy toplevel", "destroy xdg_surface", "attach nil", "commit"])
    #expect(window.geometry == nil)
    let count = painter.drawn.count
    try window.show()
    stage.settle()
    #expect(painter.drawn.count == count)
    try stage.actors.configure(width: 500, height: 400, serial: 9)
    stage.settle()
    #expect(painter.drawn.last?.size == LogicalSize(width: 500, height: 400))
    #expect(stage.actors.toplevels.count == 2)
  }

  @Test func theScaleOfAnOutputRedrawsTheWindow() throws {
    var offer = Offer()
    offer.compositor = 5
    let stage = try Stage(offer)
    stage.actors.outputs[0].sendScale(2)
    stage.actors.outputs[0].sendDone()
    let painter = Painter()
    let window = try stage.openWindow(painter)
    #expect(painter.drawn.last?.scale120 == 120)
    stage.actors.log = []
    stage.actors.surfaces[0].sendEnter(stage.actors.outputs[0])
    stage.settle()
    #expect(painter.drawn.last?.scale120 == 240)
    #expect(!stage.actors.log.contains { $0.hasPrefix("ack") })
    #expect(stage.actors.log.last == "commit")
    #expect(window.scale.outputs.map(\.id) == stage.connection.outputs.map(\.id))
    let count = painter.drawn.count
    var moves = 0
    window.onOutputsChange = { moves += 1 }
    stage.actors.surfaces[0].sendLeave(stage.actors.outputs[0])
    stage.settle()
    #expect(moves == 1)
    #expect(painter.drawn.count == count)
  }

  @Test func thePreferredBufferScaleWinsOverTheOutputs() throws {
    let stage = try Stage()
    let painter = Painter()
    let window = try stage.openWindow(painter)
    stage.actors.surfaces[0].sendEnter(stage.actors.outputs[0])
    stage.actors.surfaces[0].sendPreferredBufferScale(3)
    stage.settle()
    #expect(painter.drawn.last?.scale120 == 360)
    #expect(window.scale.scale120 == 360)
  }
}
