import KiteCore
import KiteViews
import Synchronization
import TestCompositor
import Testing
import ViewStage
import WaylandToolkit

/// One player and several views, views and several windows, and what comes back while something is under way.
@MainActor
@Suite(.serialized) struct ViewSharingTests {
  private let log = EventLog()
  private let factory: FakeFactory
  private let stage: Stage

  init() throws {
    factory = FakeFactory(log: log)
    stage = try Stage()
  }

  private func open() async throws -> (window: Window, view: KitePlayerView) {
    let count = stage.compositor.windows.count
    let window = try Window(
      stage.connection, title: "Test", appID: "org.example.Test", size: LogicalSize(width: 64, height: 36))
    let view = try KitePlayerView(in: window)
    view.rendererFactory = factory
    try window.show()
    try await stage.wait(for: "the window") {
      self.stage.compositor.windows.count > count
        && self.stage.compositor.windows.allSatisfy { $0.surface.isMapped }
    }
    return (window, view)
  }

  private func end(_ windows: Window...) async throws {
    for window in windows { window.close() }
    try await stage.play(milliseconds: 3)
    #expect(stage.errors.isEmpty)
    #expect(stage.compositor.sentErrors == [])
    #expect(stage.compositor.violations == [])
    stage.connection.close()
  }

  // MARK: Two views, one player

  @Test func theNewestViewWinsAndTheOtherIsTold() async throws {
    let (first, second) = (try await open(), try await open())
    let player = FakePlayer()
    first.view.player = player
    second.view.player = player
    try await stage.wait(for: "the word") { first.view.isDisplaced }
    #expect(!second.view.isDisplaced)
    #expect(factory.renderers[0].calls.last == .setActive(false))
    #expect(first.view.diagnostics.reason.contains("Another view shows this player"))
    // Nothing was rebuilt: the last picture stays.
    #expect(log.all == ["make 1", "make 2"])
    second.view.player = nil
    try await stage.wait(for: "the return") { !first.view.isDisplaced }
    #expect(factory.renderers[0].calls.last == .setActive(true))
    #expect(log.all == ["make 1", "make 2", "close 2"])
    first.view.close()
    second.view.close()
    try await end(first.window, second.window)
  }

  @Test func theDisplacedViewComesBackHoweverTheWinnerLeaves() async throws {
    for leave: (Window, KitePlayerView) -> Void in [
      { _, view in view.close() }, { window, _ in window.hide() }, { window, _ in window.close() },
      { _, view in view.player = FakePlayer() }, { _, view in view.rendererFactory = FakeFactory() },
    ] {
      let (first, second) = (try await open(), try await open())
      let player = FakePlayer()
      first.view.player = player
      second.view.player = player
      try await stage.wait(for: "the word") { first.view.isDisplaced }
      leave(second.window, second.view)
      // Another factory is a new attach of the same view: it wins again.
      if second.view.rendererFactory === factory {
        try await stage.wait(for: "the return") { !first.view.isDisplaced }
      } else {
        try await stage.play(milliseconds: 5)
        #expect(first.view.isDisplaced)
      }
      for opened in [first, second] {
        opened.view.close()
        opened.window.close()
      }
      try await stage.wait(for: "the end of the windows") { self.stage.compositor.windows.isEmpty }
      #expect(player.rendererCount == 0)
    }
    try await end()
  }

  @Test func aRendererThatFailsWhileDisplacedTakesThePlayerFromNobody() async throws {
    let (first, second) = (try await open(), try await open())
    let player = FakePlayer()
    first.view.player = player
    second.view.player = player
    try await stage.wait(for: "the word") { first.view.isDisplaced }
    factory.renderers[0].target.report(.failed(reason: "the import was refused"))
    try await stage.play(milliseconds: 5)
    #expect(factory.requests == 2)
    second.view.player = nil
    try await stage.wait(for: "the safe renderer") { self.factory.requests == 3 }
    #expect(!factory.renderers[2].target.prefersDmabuf)
    #expect(first.view.diagnostics.reason.contains("the import was refused"))
    #expect(first.view.diagnostics.reason.contains("renderer 3"))
    first.view.close()
    second.view.close()
    try await end(first.window, second.window)
  }

  // MARK: Moving

  @Test func aMoveToAWindowThatIsThereRebuildsOnceAtOnce() async throws {
    let opened = try await open()
    let target = try await stage.openWindow(width: 80, height: 50)
    opened.view.player = FakePlayer()
    factory.renderers[0].target.report(.pictureShown)
    try await stage.wait(for: "the picture") { opened.view.hasPicture }
    try opened.view.move(to: target)
    #expect(log.all == ["make 1", "close 1", "make 2", "surfaceWillEnd 1"])
    #expect(!opened.view.hasPicture)
    #expect(factory.renderers[1].target.geometry.logicalSize == PixelSize(width: 80, height: 50))
    // What the old renderer still says of the old surface means nothing.
    factory.renderers[0].target.report(.pictureShown)
    factory.renderers[0].target.report(.failed(reason: "too late"))
    try await stage.play(milliseconds: 10)
    #expect(!opened.view.hasPicture && factory.requests == 2)
    factory.renderers[1].target.report(.pictureShown)
    try await stage.wait(for: "the picture") { opened.view.hasPicture }
    // The same window again: nothing.
    try opened.view.move(to: target)
    #expect(opened.view.hasPicture && factory.requests == 2)
    // The window that was left stays as it is, and can be closed.
    opened.window.hide()
    try await stage.play(milliseconds: 5)
    #expect(opened.view.hasPicture && factory.requests == 2)
    opened.view.close()
    try await end(opened.window, target)
  }

  @Test func aMoveToAWindowThatComesLaterRebuildsOnce() async throws {
    let opened = try await open()
    opened.view.player = FakePlayer()
    let target = try Window(
      stage.connection, title: "", appID: "", size: LogicalSize(width: 80, height: 50))
    try opened.view.move(to: target)
    #expect(log.all == ["make 1", "close 1", "surfaceWillEnd 1"])
    try target.show()
    try await stage.wait(for: "the renderer") { self.factory.requests == 2 }
    try await stage.play(milliseconds: 5)
    #expect(factory.requests == 2)
    opened.view.close()
    #expect(throws: ToolkitError.closed) { try opened.view.move(to: target) }
    try await end(opened.window, target)
  }

  @Test func aMoveToAnotherConnectionGoesOnAfterTheFirstDied() async throws {
    let opened = try await open()
    let player = FakePlayer()
    opened.view.player = player
    let other = try Stage()
    let target = try await other.openWindow()
    stage.connection.close()
    #expect(!opened.view.hasPicture && player.rendererCount == 0)
    try opened.view.move(to: target)
    #expect(player.rendererCount == 1 && factory.requests == 2)
    opened.view.close()
    target.close()
    opened.window.close()
    try await other.play(milliseconds: 3)
    #expect(other.errors.isEmpty && other.compositor.sentErrors == [])
    other.connection.close()
  }

  @Test func aWindowHasOneViewTheNewest() async throws {
    let opened = try await open()
    opened.view.player = FakePlayer()
    let newer = try KitePlayerView(in: opened.window)
    newer.rendererFactory = factory
    #expect(log.all == ["make 1", "close 1", "surfaceWillEnd 1"])
    newer.player = opened.view.player
    #expect(factory.requests == 2)
    try await stage.play(milliseconds: 10)
    #expect(opened.view.diagnostics.reason.contains("not in a window"))
    newer.close()
    opened.view.close()
    try await end(opened.window)
  }

  @Test func aViewLeavesItsWindowBlackAndWhole() async throws {
    let opened = try await open()
    opened.view.close()
    opened.window.setNeedsDraw()
    try await stage.play(milliseconds: 20)
    #expect(stage.compositor.window?.surface.size == SurfaceSize(64, 36))
    #expect(stage.pixel(30, 20) == .black)
    try await end(opened.window)
    #expect(stage.compositor.counts.buffersMade == stage.compositor.counts.buffersDestroyed)
  }

  // MARK: The picture

  @Test func thePictureOutlivesThePlayerAndItsRendererMayTellOfItLate() async throws {
    let opened = try await open()
    opened.view.player = FakePlayer()
    opened.view.player = nil
    factory.renderers[0].target.report(.pictureShown)
    try await stage.wait(for: "the picture") { opened.view.hasPicture }
    opened.view.clearsOnPlayerChange = true
    opened.view.player = FakePlayer()
    #expect(!opened.view.hasPicture)
    factory.renderers[0].target.report(.pictureShown)
    try await stage.play(milliseconds: 10)
    #expect(!opened.view.hasPicture)
    opened.view.close()
    try await end(opened.window)
  }

  // MARK: What comes back

  @Test func aPlayerThatChangesTheViewFromWithinLeavesNoDisagreement() async throws {
    let opened = try await open()
    let other = FakePlayer()
    let player = MeddlingPlayer()
    opened.view.player = player
    player.onDetach = { opened.view.player = other }
    // The change from within comes last, and holds.
    opened.view.player = nil
    #expect(opened.view.player === other)
    #expect(other.rendererCount == 1)
    #expect(player.detaches == 1)
    player.onDetach = nil
    opened.view.player = nil
    #expect(other.rendererCount == 0)
    player.onAttach = { opened.window.hide() }
    opened.view.player = player
    #expect(player.detaches == 2)
    #expect(log.all.filter { $0.hasPrefix("make") }.count == log.all.filter { $0.hasPrefix("close") }.count)
    opened.view.close()
    try await end(opened.window)
  }

  @Test func aFactoryThatChangesTheViewFromWithinLeavesNoDisagreement() async throws {
    let opened = try await open()
    let player = FakePlayer()
    factory.onRequest = { opened.view.player = nil }
    opened.view.player = player
    #expect(player.rendererCount == 0 && opened.view.player == nil)
    #expect(log.all == ["make 1", "close 1"])
    factory.onRequest = { opened.window.hide() }
    opened.view.player = player
    #expect(player.rendererCount == 0)
    #expect(log.all.suffix(4) == ["make 2", "surfaceWillEnd 1", "close 2", "surfaceWillEnd 2"])
    factory.onRequest = nil
    try opened.window.show()
    try await stage.wait(for: "the renderer") { player.rendererCount == 1 }
    opened.view.close()
    try await end(opened.window)
  }
}

/// A player that does something of its own while it is attached or detached.
private final class MeddlingPlayer: Player {
  @MainActor var onAttach: (() -> Void)?
  @MainActor var onDetach: (() -> Void)?
  @MainActor private(set) var detaches = 0

  nonisolated init() {}

  var state: PlayerState { PlayerState() }
  var position: MediaTime { .zero }
  func stateChanges() -> AsyncStream<PlayerState> { AsyncStream { $0.finish() } }
  func play() {}
  func pause() {}
  func attach(_ renderer: any VideoRenderer) { MainActor.assumeIsolated { onAttach?() } }
  func detach(_ renderer: any VideoRenderer) {
    MainActor.assumeIsolated {
      detaches += 1
      onDetach?()
    }
  }
}
