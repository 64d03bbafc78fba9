import Testing
import Wayland

@testable import WaylandToolkit

@Suite struct OutputStateTests {
  private func mode(_ width: Int32, _ height: Int32, refresh: Int32, current: Bool = true) -> WlOutput.Event {
    .mode(flags: current ? .current : .preferred, width: width, height: height, refresh: refresh)
  }

  @Test func aDescriptionIsTakenOverAsAWhole() throws {
    var state = OutputState(version: 4)
    #expect(state.receive(mode(1920, 1080, refresh: 59_940)) == false)
    #expect(state.receive(mode(640, 480, refresh: 60_000, current: false)) == false)
    #expect(state.receive(.scale(factor: 2)) == false)
    #expect(state.receive(.name(name: "DP-1")) == false)
    #expect(state.info == nil)
    #expect(state.receive(.done) == true)
    let info = try #require(state.info)
    #expect(info.modeWidth == 1920 && info.refresh == 59_940 && info.scale == 2 && info.name == "DP-1")
  }

  @Test func theSameAgainIsNoChange() {
    var state = OutputState(version: 2)
    _ = state.receive(.scale(factor: 2))
    #expect(state.receive(.done) == true)
    _ = state.receive(.scale(factor: 2))
    #expect(state.receive(.done) == false)
  }

  @Test func versionOneHasNoDone() {
    var state = OutputState(version: 1)
    #expect(state.receive(mode(800, 600, refresh: 0)) == true)
    #expect(state.info?.modeWidth == 800)
  }

  @Test func nonsenseBecomesSomethingHarmless() {
    var state = OutputState(version: 1)
    _ = state.receive(.scale(factor: 0))
    _ = state.receive(mode(-1, -1, refresh: -1))
    #expect(state.info?.scale == 1 && state.info?.modeWidth == 0 && state.info?.refresh == 0)
  }
}
