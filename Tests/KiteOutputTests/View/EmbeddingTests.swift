import KiteCore
import KiteOutput
import KiteSystem
import KiteViews
import TestCompositor
import Testing
import ViewStage
import Wayland
import WaylandToolkit

extension ViewTests {
  /// A view as a subsurface of a surface that is somebody else's.
  @MainActor struct EmbeddingTests {
    /// An app's window that draws itself grey and has a view in it.
    private final class App: WindowContent {
      let stage: Stage
      let window: Window
      let pool: ShmPool
      let player = FakePlayer()
      var view: KitePlayerView?

      init(_ configuration: CompositorConfiguration = .standard) async throws {
        stage = try Stage(configuration)
        window = try Window(
          stage.connection, title: "App", appID: "org.example.App", size: LogicalSize(width: 200, height: 100)
        )
        pool = try ShmPool(stage.connection, width: 200, height: 100)
        window.content = self
        try window.show()
        try await stage.wait(for: "the window") { self.stage.compositor.window?.surface.isMapped == true }
      }

      func window(_ window: Window, draw geometry: WindowGeometry) {
        guard let buffer = pool.next() else { return }
        buffer.fill(0x80_8080)
        window.surface.attach(buffer.proxy, x: 0, y: 0)
        window.surface.damage(x: 0, y: 0, width: .max, height: .max)
        buffer.markBusy()
      }

      func windowWillHide(_ window: Window) {}

      func wait(forPixel x: Int, _ y: Int, toBe color: Picture.Pixel) async throws {
        try await stage.wait(
          for: "\(color) at \(x), \(y)", detail: "\(String(describing: self.stage.pixel(x, y)))"
        ) {
          self.stage.pixel(x, y).map { $0.distance(to: color) <= 8 } ?? false
        }
      }

      func end() async throws {
        view?.close()
        window.close()
        try await stage.play(milliseconds: 5)
        #expect(stage.errors.isEmpty && stage.compositor.sentErrors.isEmpty)
        stage.connection.close()
      }
    }

    private let gray = Picture.Pixel.gray(0x80)

    @Test(arguments: [false, true]) func theViewIsAtItsPlaceInTheParent(isForeign: Bool) async throws {
      let app = try await App()
      let frame = PixelRect(x: 20, y: 10, width: 64, height: 36)
      let view =
        isForeign
        ? try KitePlayerView(
          connection: app.stage.connection, foreignParent: #require(app.window.surface.rawPointer),
          frame: frame)
        : try KitePlayerView(connection: app.stage.connection, parent: app.window.surface, frame: frame)
      app.view = view
      view.rendererFactory = StandardRendererFactory()
      view.player = app.player
      // The parent's owner commits once.
      app.window.setNeedsDraw()
      try await app.wait(forPixel: 30, 20, toBe: .black)
      try app.player.show(FramePainter(width: 64, height: 36).quarters())
      try await app.wait(forPixel: 30, 15, toBe: .pureRed)
      try await app.wait(forPixel: 80, 44, toBe: .white)
      for (x, y) in [(19, 20), (84, 20), (40, 9), (40, 46)] {
        #expect(app.stage.pixel(x, y) == gray, "at \(x), \(y)")
      }
      try await app.stage.wait(for: "hasPicture") { view.hasPicture }
      try await app.end()
    }

    @Test func theViewMovesGrowsHidesAndComesBack() async throws {
      let app = try await App()
      let view = try KitePlayerView(
        connection: app.stage.connection, parent: app.window.surface,
        frame: PixelRect(x: 0, y: 0, width: 64, height: 36))
      app.view = view
      view.rendererFactory = StandardRendererFactory()
      view.player = app.player
      app.window.setNeedsDraw()
      try app.player.show(FramePainter(width: 64, height: 36).quarters())
      try await app.wait(forPixel: 10, 5, toBe: .pureRed)
      view.move(to: PixelRect(x: 50, y: 20, width: 128, height: 72))
      app.window.setNeedsDraw()
      try await app.wait(forPixel: 60, 30, toBe: .pureRed)
      try await app.wait(forPixel: 170, 85, toBe: .white)
      try await app.wait(forPixel: 10, 5, toBe: gray)
      view.move(to: PixelRect(x: 50, y: 20, width: 0, height: 0))
      try await app.wait(forPixel: 60, 30, toBe: gray)
      #expect(!view.hasPicture)
      view.move(to: PixelRect(x: 50, y: 20, width: 128, height: 72))
      app.window.setNeedsDraw()
      try await app.wait(forPixel: 60, 30, toBe: .pureRed)
      try await app.end()
    }

    @Test func twoViewsShareAWindow() async throws {
      let app = try await App()
      let frames = [
        PixelRect(x: 0, y: 0, width: 64, height: 36), PixelRect(x: 100, y: 50, width: 64, height: 36),
      ]
      let players = [FakePlayer(), FakePlayer()]
      let views = try frames.map {
        try KitePlayerView(connection: app.stage.connection, parent: app.window.surface, frame: $0)
      }
      for (view, player) in zip(views, players) {
        view.rendererFactory = StandardRendererFactory()
        view.player = player
      }
      app.window.setNeedsDraw()
      let painter = FramePainter(width: 64, height: 36)
      try players[0].show(painter.frame(.pureRed))
      try players[1].show(painter.frame(.pureBlue))
      try await app.wait(forPixel: 30, 18, toBe: .pureRed)
      try await app.wait(forPixel: 130, 68, toBe: .pureBlue)
      views[0].close()
      try await app.wait(forPixel: 30, 18, toBe: gray)
      try await app.wait(forPixel: 130, 68, toBe: .pureBlue)
      views[1].close()
      try await app.end()
    }

    @Test func theParentMayEndBeforeTheView() async throws {
      let app = try await App()
      let view = try KitePlayerView(
        connection: app.stage.connection, parent: app.window.surface,
        frame: PixelRect(x: 0, y: 0, width: 64, height: 36))
      view.rendererFactory = StandardRendererFactory()
      view.player = app.player
      app.window.setNeedsDraw()
      try app.player.show(FramePainter(width: 64, height: 36).quarters())
      try await app.wait(forPixel: 10, 5, toBe: .pureRed)
      app.window.close()
      try await app.stage.play(milliseconds: 30)
      view.close()
      try await app.end()
    }
  }
}
