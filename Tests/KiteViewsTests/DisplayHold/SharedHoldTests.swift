import KiteCore
import TestCompositor
import Testing
import ViewStage
import WaylandToolkit

@testable import KiteViews

/// What keeps the display awake where the compositor can't be asked: one mechanism for all views of the process.
@MainActor
@Suite(.serialized) struct SharedHoldTests {
  /// Takes down what it is asked for.
  private final class Mechanism: DisplayHoldMechanism {
    var calls: [String] = []
    func hold() { calls.append("hold") }
    func letGo() { calls.append("let go") }
  }

  private let factory = FakeFactory()
  private let mechanism = Mechanism()

  /// A compositor without idle-inhibit, and the mechanism for the time of `body`.
  private func withStage(_ body: (Stage) async throws -> Void) async throws {
    let stage = try Stage(.standard.without("zwp_idle_inhibit_manager_v1"))
    PlayerViewDefaults.displayHoldMechanism = mechanism
    defer { PlayerViewDefaults.displayHoldMechanism = nil }
    try await body(stage)
    stage.connection.close()
    #expect(DisplayHoldGrip.counts == [:])
  }

  /// A view that shows a picture of a playing video, as far as its renderer says.
  private func play(_ stage: Stage) async throws -> (
    window: Window, view: KitePlayerView, player: FakePlayer
  ) {
    let made = factory.renderers.count
    let (window, view) = try await stage.openView(factory: factory)
    let player = FakePlayer()
    player.change {
      $0.status = .playing
      $0.videoSize = PixelSize(width: 64, height: 36)
    }
    view.player = player
    try await stage.wait(for: "the renderer") { self.factory.renderers.count > made }
    factory.renderers.last?.target.report(.pictureShown)
    try await stage.wait(for: "the hold") { view.displayHold.isHeld }
    return (window, view, player)
  }

  @Test func theFirstViewHoldsAndTheLastOneLetsGo() async throws {
    try await withStage { stage in
      let first = try await play(stage)
      #expect(mechanism.calls == ["hold"])
      let second = try await play(stage)
      first.player.pause()
      try await stage.wait(for: "the first one's pause") { !first.view.displayHold.isHeld }
      #expect(mechanism.calls == ["hold"], "the second one still plays")
      second.view.close()
      #expect(mechanism.calls == ["hold", "let go"])
      first.view.close()
      #expect(mechanism.calls == ["hold", "let go"])
      for window in [first.window, second.window] { window.close() }
    }
  }

  @Test func aMechanismThatComesLaterIsTakenUpAtOnce() async throws {
    try await withStage { stage in
      PlayerViewDefaults.displayHoldMechanism = nil
      let shown = try await play(stage)
      #expect(mechanism.calls == [])
      PlayerViewDefaults.displayHoldMechanism = mechanism
      #expect(mechanism.calls == ["hold"])
      let other = Mechanism()
      PlayerViewDefaults.displayHoldMechanism = other
      #expect(mechanism.calls == ["hold", "let go"])
      #expect(other.calls == ["hold"])
      shown.view.close()
      #expect(other.calls == ["hold", "let go"])
      shown.window.close()
    }
  }

  @Test func whereTheCompositorCanBeAskedTheMechanismIsNot() async throws {
    let stage = try Stage()
    PlayerViewDefaults.displayHoldMechanism = mechanism
    defer { PlayerViewDefaults.displayHoldMechanism = nil }
    let shown = try await play(stage)
    #expect(mechanism.calls == [])
    shown.view.close()
    shown.window.close()
    stage.connection.close()
  }

  @Test func aGapThatLastsLetsTheDisplaySleep() async throws {
    try await withStage { stage in
      let shown = try await play(stage)
      let (signal, sender) = AsyncStream.makeStream(of: Void.self)
      shown.view.displayHold.waitForGrace = { for await _ in signal { return } }
      shown.player.change { $0.status = .buffering }
      try await stage.play(milliseconds: 10)
      #expect(mechanism.calls == ["hold"], "the grace runs")
      sender.yield()
      try await stage.wait(for: "the end of the hold") { mechanism.calls == ["hold", "let go"] }
      shown.player.change { $0.status = .playing }
      try await stage.wait(for: "another hold") { mechanism.calls == ["hold", "let go", "hold"] }
      shown.view.close()
      shown.window.close()
    }
  }
}
