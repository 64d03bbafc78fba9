import Foundation
import TestCompositor
import Testing
import Wayland

@testable import WaylandToolkit

@MainActor
@Suite struct WindowCycleTests {
  private func descriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
  }

  @Test func aThousandWindowsComeAndGoWithoutLeavingAnything() throws {
    let stage = try Stage(Offer(decoration: 1))
    stage.actors.outputs[0].sendDone()
    stage.settle()
    for cycle in 0..<1_000 {
      let window = try stage.openWindow(Painter())
      stage.actors.surfaces[stage.actors.surfaces.count - 1].sendEnter(stage.actors.outputs[0])
      if cycle % 3 == 0 { window.hide() }
      if cycle % 2 == 0 { window.close() }
      stage.settle()
    }
    stage.settle()
    #expect(stage.errors == [])
    #expect(stage.connection.surfaceInputs.isEmpty)
    #expect(stage.actors.surfaces.allSatisfy { !$0.isAlive })
    #expect(stage.actors.toplevels.allSatisfy { !$0.isAlive })
    #expect(stage.actors.buffers.allSatisfy { !$0.isAlive })
  }

  @Test func connectionsThatEndGiveTheirDescriptorsBack() async throws {
    // The first one opens what stays open.
    _ = try Stage()
    let before = try descriptors()
    for _ in 0..<200 {
      let stage = try Stage()
      _ = try stage.openWindow(Painter())
      stage.actors.seats[0].sendCapabilities([.keyboard, .pointer])
      stage.settle()
    }
    // Other tests run beside this one and open some of their own, for a while: one left by each connection would be more.
    let deadline = ContinuousClock.now + .seconds(60)
    while try descriptors() >= before + 150, .now < deadline { try await Task.sleep(for: .milliseconds(50)) }
    #expect(try descriptors() < before + 150)
  }
}
