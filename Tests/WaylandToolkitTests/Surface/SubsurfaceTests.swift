import TestCompositor
import Testing
import Wayland

@testable import WaylandToolkit

@MainActor
@Suite struct SubsurfaceTests {
  @Test func aSubsurfaceLetsInputThroughAndEndsInOrder() throws {
    let stage = try Stage()
    let window = try stage.openWindow(Painter())
    stage.actors.log = []
    let subsurface = try Subsurface(stage.connection, parent: window.surface)
    subsurface.setPosition(x: -3, y: 5)
    subsurface.isSynchronized = false
    subsurface.isSynchronized = false
    subsurface.isSynchronized = true
    subsurface.close()
    subsurface.close()
    subsurface.setPosition(x: 1, y: 1)
    subsurface.isSynchronized = false
    stage.settle()
    #expect(
      stage.actors.log == [
        "input region", "position -3,5", "desync", "sync", "destroy subsurface", "destroy surface",
      ])
    #expect(stage.errors == [])
  }

  @Test func theParentMayBeAnotherQueuesSurface() throws {
    let stage = try Stage()
    // A surface as other code of the process has it: a raw pointer on a queue of its own.
    let foreign = try stage.connection.display.makeQueue()
    let registry = foreign.display.getRegistry()
    let compositor = try #require(
      stage.connection.globals.bind(WlCompositor.self, versions: 4...4, through: registry))
    let parent = compositor.createSurface()
    let subsurface = try Subsurface(
      stage.connection, foreignParent: try #require(parent.rawPointer), takesInput: true)
    subsurface.setPosition(x: 7, y: 8)
    stage.settle()
    #expect(stage.actors.log == ["position 7,8"])
    #expect(stage.actors.surfaces.count == 2)
    subsurface.close()
    stage.settle()
    #expect(parent.isAlive)
    #expect(stage.errors == [])
    foreign.close()
  }

  @Test func aParentThatHasEndedIsRefused() throws {
    let stage = try Stage()
    let window = try stage.openWindow()
    let surface = window.surface
    window.close()
    #expect(throws: ToolkitError.closed) { _ = try Subsurface(stage.connection, parent: surface) }
  }
}
