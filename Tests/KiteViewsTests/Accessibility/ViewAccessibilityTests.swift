import KiteCore
import TestCompositor
import Testing
import ViewStage
import WaylandToolkit

@testable import KiteViews

/// What views publish for assistive technology, and when.
@MainActor
@Suite(.serialized) struct ViewAccessibilityTests {
  /// Takes down what it is told of one view: those of other tests speak to the same bridge.
  private final class Bridge: AccessibilityBridge {
    var published: [AccessibleView] = []
    var withdrawals = 0
    var view: ObjectIdentifier?
    func publish(_ view: AccessibleView, of id: ObjectIdentifier) {
      if id == self.view { published.append(view) }
    }
    func withdraw(_ id: ObjectIdentifier) {
      if id == view { withdrawals += 1 }
    }
  }

  private let factory = FakeFactory()
  private let bridge = Bridge()
  private let player = FakePlayer()

  /// A view whose renderer says that its picture is there, and the bridge for the time of `body`.
  private func withView(
    showsPicture: Bool = true,
    waitForPicture: @escaping @Sendable () async throws -> Void = {
      try await Task.sleep(for: .seconds(3600))
    },
    _ body: (Stage, Window, KitePlayerView) async throws -> Void
  ) async throws {
    PlayerViewDefaults.accessibilityBridge = bridge
    defer { PlayerViewDefaults.accessibilityBridge = nil }
    let stage = try Stage()
    let window = try Window(
      stage.connection, title: "Test", appID: "", size: LogicalSize(width: 64, height: 36),
      minimumSize: LogicalSize(width: 1, height: 1))
    let view = try KitePlayerView(in: window)
    view.rendererFactory = factory
    view.accessibility.waitForPicture = waitForPicture
    bridge.view = ObjectIdentifier(view.accessibility)
    try window.show()
    try await stage.wait(for: "the window") { stage.compositor.window?.surface.isMapped == true }
    player.change {
      $0.status = .playing
      $0.duration = MediaTime(seconds: 296)
      $0.position = MediaTime(seconds: 83.5)
    }
    view.player = player
    if showsPicture {
      factory.renderers.last?.target.report(.pictureShown)
      try await stage.wait(for: "the publication") { !bridge.published.isEmpty }
    }
    try await body(stage, window, view)
    view.close()
    window.close()
    stage.connection.close()
  }

  private var texts: [String] {
    bridge.published.map(\.stateText).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  @Test func nothingIsSaidBeforeThePictureAndEverythingWithIt() async throws {
    try await withView(showsPicture: false) { stage, _, view in
      #expect(bridge.published.isEmpty)
      #expect(view.accessibilityStateText == "Playing, 1:23 of 4:56", "but it is known")
      factory.renderers.last?.target.report(.pictureShown)
      try await stage.wait(for: "the publication") { !bridge.published.isEmpty }
      let shown = try #require(bridge.published.last)
      #expect(shown.label == "Video" && shown.positionLabel == "Position")
      #expect(shown.actionLabel == "Play or pause" && shown.stateText == "Playing, 1:23 of 4:56")
      #expect(shown.status == .playing && shown.duration == MediaTime(seconds: 296))
      #expect(shown.frame == PixelRect(x: 0, y: 0, width: 64, height: 36) && shown.isShown)
      #expect(shown.window?.title == "Test")
      #expect(shown.controls?.position() == MediaTime(seconds: 83.5) && shown.controls?.seek == nil)
      view.close()
      #expect(bridge.withdrawals == 1)
    }
  }

  @Test func aViewWithoutAPictureIsThereAfterAWhile() async throws {
    let atOnce: @Sendable () async throws -> Void = {}
    try await withView(showsPicture: false, waitForPicture: atOnce) { stage, _, _ in
      try await stage.wait(for: "the publication") { !bridge.published.isEmpty }
    }
  }

  @Test func statusAndDurationAreFollowedAndTheTickingPositionIsNot() async throws {
    try await withView { stage, _, view in
      player.change { $0.position = MediaTime(seconds: 84) }
      player.change { $0.videoSize = PixelSize(width: 16, height: 9) }
      try await stage.play(milliseconds: 10)
      player.pause()
      try await stage.wait(for: "the pause") { view.accessibilityStateText.hasPrefix("Paused") }
      player.change { $0.duration = MediaTime(seconds: 300) }
      try await stage.wait(for: "the duration") { view.accessibilityStateText.hasSuffix("5:00") }
      #expect(texts == ["Playing, 1:23 of 4:56", "Paused, 1:24 of 4:56", "Paused, 1:24 of 5:00"])
      #expect(bridge.published.last?.jumps == 0)
      view.player = nil
      #expect(texts.last == "No media" && bridge.published.last?.controls == nil)
    }
  }

  @Test func aJumpIsCountedOnce() async throws {
    try await withView { stage, _, view in
      player.pause()
      try await stage.wait(for: "the pause") { bridge.published.last?.status == .paused }
      player.change { $0.position = MediaTime(seconds: 10) }
      try await stage.wait(for: "the jump") { bridge.published.last?.jumps == 1 }
      #expect(view.accessibilityStateText == "Paused, 0:10 of 4:56")
      view.updateAccessibilityState()
      #expect(bridge.published.last?.jumps == 1)
    }
  }

  @Test func aSeekIsToldOnceWhenItIsDone() async throws {
    try await withView { stage, _, _ in
      player.pause()
      player.change { $0.isSeekable = true }
      try await stage.wait(for: "the seek's control") { bridge.published.last?.controls?.seek != nil }
      for seconds in [84.0, 83.6] {
        player.change {
          $0.isSeeking = true
          $0.position = MediaTime(seconds: seconds)
        }
        try await stage.play(milliseconds: 5)
      }
      #expect(bridge.published.last?.jumps == 0, "it is under way")
      player.change { $0.isSeeking = false }
      try await stage.wait(for: "its end") { bridge.published.last?.jumps == 1 }
      player.play()
      try await stage.wait(for: "playing") { bridge.published.last?.status == .playing }
      #expect(bridge.published.last?.jumps == 1)
    }
  }

  @Test func everyWordIsLiveAndReplaceable() async throws {
    try await withView { _, _, view in
      view.accessibilityVideoLabel = "Film"
      view.accessibilityPositionLabel = "Stelle"
      view.accessibilityActionLabel = "Abspielen oder anhalten"
      view.accessibilityStateFormat = { status, position, duration in
        "\(status.rawValue) \(Int(position.seconds)) \(duration.map { Int($0.seconds) } ?? -1)"
      }
      let shown = try #require(bridge.published.last)
      #expect(shown.label == "Film" && shown.positionLabel == "Stelle")
      #expect(shown.actionLabel == "Abspielen oder anhalten" && shown.stateText == "playing 83 296")
      view.player = nil
      #expect(view.accessibilityStateText == "idle 0 -1")
    }
  }

  @Test func anUpdateReadsThePlayerAgain() async throws {
    try await withView { _, _, view in
      player.change { $0.position = MediaTime(seconds: 84.2) }
      #expect(view.accessibilityStateText == "Playing, 1:23 of 4:56")
      view.updateAccessibilityState()
      #expect(view.accessibilityStateText == "Playing, 1:24 of 4:56")
      #expect(bridge.published.last?.stateText == "Playing, 1:24 of 4:56")
    }
  }

  @Test func theActionTogglesThePlayer() async throws {
    try await withView { stage, _, _ in
      let controls = try #require(bridge.published.last?.controls)
      controls.toggle()
      #expect(player.state.status == .paused)
      controls.toggle()
      #expect(player.state.status == .playing)
      player.change { $0.status = .buffering }
      controls.toggle()
      #expect(player.state.status == .paused)
    }
  }

  @Test func theWindowIsFollowed() async throws {
    try await withView { stage, window, _ in
      stage.compositor.configure { $0.states.insert(.activated) }
      try await stage.wait(for: "the keyboard") { bridge.published.last?.window?.isActive == true }
      stage.compositor.configure { $0.states.remove(.activated) }
      try await stage.wait(for: "its end") { bridge.published.last?.window?.isActive == false }
      stage.compositor.resizeWindows(width: 200, height: 100)
      try await stage.wait(for: "the size") { bridge.published.last?.frame.width == 200 }
      window.hide()
      #expect(bridge.published.last?.isShown == false)
    }
  }

  @Test func anotherBridgeTakesOver() async throws {
    try await withView { _, _, view in
      let other = Bridge()
      other.view = bridge.view
      PlayerViewDefaults.accessibilityBridge = other
      #expect(bridge.withdrawals == 1 && other.published.count == 1)
      view.accessibilityVideoLabel = "Film"
      #expect(other.published.last?.label == "Film")
      PlayerViewDefaults.accessibilityBridge = nil
      #expect(other.withdrawals == 1)
    }
  }
}
