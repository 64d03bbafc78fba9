import KiteCore
import KiteViews
import TestCompositor
import Testing
import ViewStage
import WaylandToolkit

/// The view's contract, with renderers and players that only take notes.
@MainActor
@Suite(.serialized) struct ViewRulesTests {
  private let log = EventLog()
  private let factory: FakeFactory
  private let player: LoggedPlayer

  init() {
    factory = FakeFactory(log: log)
    player = LoggedPlayer("a", log: log)
  }

  /// A view in a window that is on the screen.
  private func open(
    _ configuration: CompositorConfiguration = .standard, factory: FakeFactory? = nil
  ) async throws -> (stage: Stage, window: Window, view: KitePlayerView) {
    let stage = try Stage(configuration)
    let (window, view) = try await stage.openView(factory: factory ?? self.factory)
    return (stage, window, view)
  }

  private func end(_ opened: (stage: Stage, window: Window, view: KitePlayerView)) async throws {
    opened.view.close()
    opened.window.close()
    try await opened.stage.play(milliseconds: 3)
    #expect(opened.stage.errors.isEmpty)
    #expect(opened.stage.compositor.sentErrors == [])
    opened.stage.connection.close()
  }

  @Test func aRendererIsMadeForAPlayerInAWindow() async throws {
    let opened = try await open()
    #expect(log.all == [])
    opened.view.player = player
    #expect(log.all == ["make 1", "a attach 1"])
    opened.view.player = player
    #expect(log.all == ["make 1", "a attach 1"])
    try await end(opened)
    #expect(log.all == ["make 1", "a attach 1", "close 1", "a detach 1", "surfaceWillEnd 1"])
  }

  @Test func noRendererIsMadeBeforeTheWindowIsThere() async throws {
    let stage = try Stage()
    let window = try Window(
      stage.connection, title: "", appID: "", size: LogicalSize(width: 64, height: 36))
    let view = try KitePlayerView(in: window)
    view.rendererFactory = factory
    view.player = player
    try await stage.play(milliseconds: 5)
    #expect(log.all == [])
    #expect(view.diagnostics.reason.contains("not in a window"))
    try window.show()
    try await stage.wait(for: "the renderer") { !self.factory.renderers.isEmpty }
    #expect(log.all == ["make 1", "a attach 1"])
    #expect(factory.renderers[0].target.geometry.logicalSize == PixelSize(width: 64, height: 36))
    try await end((stage, window, view))
  }

  @Test func anotherPlayerTearsTheOldPairDownFirst() async throws {
    let opened = try await open()
    opened.view.player = player
    opened.view.player = LoggedPlayer("b", log: log)
    #expect(
      log.all == ["make 1", "a attach 1", "close 1", "a detach 1", "make 2", "b attach 2"])
    try await end(opened)
  }

  @Test func anotherFactoryRebuildsAtOnceAndTheSameDoesNothing() async throws {
    let opened = try await open()
    opened.view.player = player
    opened.view.rendererFactory = factory
    #expect(factory.requests == 1)
    let other = FakeFactory(log: log)
    opened.view.rendererFactory = other
    #expect(other.renderers.count == 1)
    #expect(log.all == ["make 1", "a attach 1", "close 1", "a detach 1", "make 1", "a attach 1"])
    try await end(opened)
  }

  @Test func aDefaultThatComesLaterReachesViewsThatHadNone() async throws {
    let stage = try Stage()
    let (window, view) = try await stage.openView()
    let ownWindow = try await open()
    ownWindow.view.player = LoggedPlayer("own", log: EventLog())
    let requests = factory.requests
    view.player = player
    #expect(view.diagnostics.reason.contains("factory"))
    let common = FakeFactory(log: log)
    PlayerViewDefaults.rendererFactory = common
    defer { PlayerViewDefaults.rendererFactory = nil }
    #expect(common.renderers.count == 1)
    // A view with a factory of its own is not touched.
    #expect(factory.requests == requests)
    PlayerViewDefaults.rendererFactory = common
    #expect(common.requests == 1)
    try await end((stage, window, view))
    try await end(ownWindow)
  }

  @Test func aFactoryThatGivesNoneOrThrowsIsAskedAgainWithTheNextEvent() async throws {
    let opened = try await open()
    factory.answer = .nothing
    opened.view.player = player
    #expect(factory.requests == 1)
    #expect(opened.view.diagnostics.reason.contains("no renderer"))
    opened.view.scaleMode = .fill
    #expect(factory.requests == 1)
    factory.answer = .failure
    opened.window.hide()
    try opened.window.show()
    try await opened.stage.wait(for: "the next request") { self.factory.requests == 2 }
    #expect(opened.view.diagnostics.reason.contains("no luck today"))
    factory.answer = .renderer
    opened.view.player = LoggedPlayer("b", log: log)
    #expect(factory.renderers.count == 1)
    try await end(opened)
  }

  @Test func hidingEndsTheRendererBeforeTheSurfaceAndShowingMakesANewOne() async throws {
    let opened = try await open()
    opened.view.player = player
    opened.window.hide()
    #expect(log.all == ["make 1", "a attach 1", "close 1", "a detach 1", "surfaceWillEnd 1"])
    try opened.window.show()
    try await opened.stage.wait(for: "the second renderer") { self.factory.renderers.count == 2 }
    #expect(log.all.suffix(2) == ["make 2", "a attach 2"])
    try await end(opened)
  }

  @Test func sizeScaleVisibilityAndModeReachTheRenderer() async throws {
    let opened = try await open()
    opened.view.player = player
    let renderer = factory.renderers[0]
    opened.stage.compositor.resizeWindows(width: 200, height: 100)
    try await opened.stage.wait(for: "the size") {
      renderer.updates.last?.logicalSize == PixelSize(width: 200, height: 100)
    }
    opened.stage.compositor.setScale(150)
    try await opened.stage.wait(for: "the scale") { renderer.updates.last?.scale120 == 150 }
    opened.stage.compositor.setSuspended(true)
    try await opened.stage.wait(for: "the end of visibility") { renderer.updates.last?.isVisible == false }
    opened.stage.compositor.setSuspended(false)
    try await opened.stage.wait(for: "visibility") { renderer.updates.last?.isVisible == true }
    opened.view.scaleMode = .stretch
    #expect(renderer.updates.last?.scaleMode == .stretch)
    #expect(factory.requests == 1)
    try await end(opened)
  }

  @Test func theWishForKernelBuffersIsReadWhenARendererIsMade() async throws {
    let opened = try await open()
    opened.view.player = player
    opened.view.prefersDmabuf = false
    #expect(factory.renderers[0].target.prefersDmabuf && factory.requests == 1)
    opened.view.player = LoggedPlayer("b", log: log)
    #expect(!factory.renderers[1].target.prefersDmabuf)
    try await end(opened)
  }

  @Test func aFailedRendererIsRebuiltOnceOnTheSafePath() async throws {
    let opened = try await open()
    opened.view.player = player
    factory.renderers[0].target.report(.failed(reason: "the import was refused"))
    try await opened.stage.wait(for: "the safe renderer") { self.factory.renderers.count == 2 }
    #expect(!factory.renderers[1].target.prefersDmabuf)
    #expect(log.all == ["make 1", "a attach 1", "close 1", "a detach 1", "make 2", "a attach 2"])
    factory.renderers[1].target.report(.failed(reason: "this one too"))
    try await opened.stage.wait(for: "the end of it") { self.log.all.last == "a detach 2" }
    try await opened.stage.play(milliseconds: 10)
    #expect(factory.requests == 2)
    #expect(opened.view.diagnostics.reason.contains("this one too"))
    try await end(opened)
  }

  @Test func anOldRenderersReportsMeanNothing() async throws {
    let opened = try await open()
    opened.view.player = player
    let old = factory.renderers[0]
    opened.view.player = LoggedPlayer("b", log: log)
    old.target.report(.placed(PixelRect(x: 7, y: 3, width: 50, height: 30)))
    old.target.report(.failed(reason: "long ago"))
    try await opened.stage.play(milliseconds: 10)
    #expect(factory.requests == 2)
    #expect(!opened.stage.compositor.requests("wl_subsurface").contains { $0.name == "set_position" })
    factory.renderers[1].target.report(.pictureShown)
    try await opened.stage.wait(for: "the picture") { opened.view.hasPicture }
    opened.window.hide()
    #expect(!opened.view.hasPicture)
    // Nor does what is said of a surface that showed nothing since.
    factory.renderers[1].target.report(.pictureShown)
    try await opened.stage.play(milliseconds: 10)
    #expect(!opened.view.hasPicture)
    try await end(opened)
  }

  @Test func theVideoIsPutWhereTheRendererSays() async throws {
    let opened = try await open()
    opened.view.player = player
    factory.renderers[0].target.report(.placed(PixelRect(x: 7, y: 3, width: 50, height: 30)))
    let window = try #require(opened.stage.compositor.window)
    let video = try #require(
      opened.stage.compositor.surfaces.first { $0.role != .window && $0.role != .none })
    try await opened.stage.wait(for: "the place") {
      opened.stage.compositor.surface(video.number)?.role
        == .subsurface(parent: window.surface.number, isSynchronized: false, x: 7, y: 3)
    }
    // Above the black surface, and no hindrance to the pointer.
    #expect(window.surface.stack == [window.surface.number, video.number])
    #expect(video.inputRegion == nil || opened.stage.compositor.surface(video.number)?.inputRegion == [])
    try await end(opened)
  }

  @Test func afterTheCloseNothingHappens() async throws {
    let opened = try await open()
    opened.view.player = player
    opened.view.close()
    opened.view.close()
    let entries = log.all
    opened.view.player = LoggedPlayer("b", log: log)
    opened.view.rendererFactory = FakeFactory(log: log)
    opened.view.scaleMode = .fill
    opened.view.prefersDmabuf = false
    opened.view.move(to: PixelRect(x: 0, y: 0, width: 1, height: 1))
    opened.stage.compositor.resizeWindows(width: 300, height: 200)
    try await opened.stage.play(milliseconds: 10)
    #expect(log.all == entries)
    #expect(opened.view.diagnostics.reason.contains("closed"))
    try await end(opened)
  }

  @Test func aViewThatIsLetGoClosesItself() async throws {
    let stage = try Stage()
    let window: Window
    do {
      let opened = try await stage.openView(factory: factory)
      window = opened.window
      opened.view.player = player
    }
    try await stage.wait(for: "the detach") { self.log.all.contains("a detach 1") }
    #expect(log.all.contains("surfaceWillEnd 1"))
    window.close()
    try await stage.play(milliseconds: 3)
    stage.connection.close()
  }

  @Test func theBlackSurfaceCoversTheWindowAtOnce() async throws {
    let opened = try await open()
    opened.stage.compositor.resizeWindows(width: 300, height: 200)
    try await opened.stage.wait(for: "the size") {
      opened.stage.compositor.window?.surface.size == SurfaceSize(300, 200)
    }
    let picture = try #require(opened.stage.compositor.screenshot())
    #expect(picture.bounds() == nil)
    #expect(opened.stage.compositor.window?.geometry == Box(0, 0, 300, 200))
    try await end(opened)
  }
}
