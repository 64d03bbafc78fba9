import KiteSystem
import TestCompositor
import Testing
import Wayland

@testable import WaylandToolkit

@MainActor
@Suite struct BlockedSocketTests {
  @Test func aCompositorThatDoesNotReadIsWaitedForAndThenServed() throws {
    let stage = try Stage()
    let painter = Painter()
    let window = try stage.openWindow(painter)
    let count = painter.drawn.count
    var wanted: PollEvents = .read
    for _ in 0..<10_000 where !wanted.contains(.write) {
      for _ in 0..<100 { window.surface.commit() }
      wanted = stage.connection.prepare()
      stage.connection.process([])
    }
    #expect(wanted == [.read, .write])
    window.setNeedsDraw()
    for _ in 0..<3 {
      #expect(stage.connection.prepare() == [.read, .write])
      stage.connection.process([])
    }
    #expect(painter.drawn.count == count)
    stage.server.dispatch()
    #expect(stage.connection.prepare() == .read)
    stage.connection.process([])
    #expect(painter.drawn.count == count + 1)
    stage.settle()
    #expect(stage.errors == [])
  }
}
