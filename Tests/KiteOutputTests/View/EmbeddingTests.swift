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

      /// Whether `condition` did not come to hold for a while.
      func isNever(milliseconds: Int, _ condition: () -> Bool) async throws -> Bool {
        let deadline = MonotonicTime.now + Int64(milliseconds) * 1_000_000
        while .now < deadline {
          if condition() { return false }
          try await stage.play(milliseconds: 1)
        }
        return true
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

    @Test func placeSizeAndPictureChangeWithTheParentsCommit() async throws {
      let app = try await App()
      let view = try KitePlayerView(
        connection: app.stage.connection, parent: app.window.surface,
        frame: PixelRect(x: 0, y: 0, width: 64, height: 36))
      app.view = view
      view.rendererFactory = StandardRendererFactory()
      view.player = app.player
      app.window.setNeedsDraw()
      try app.player.show(FramePainter(width: 64, height: 36).frame(.pureRed))
      try await app.wait(forPixel: 10, 5, toBe: .pureRed)
      func role() -> SurfaceSnapshot.Role? {
        let window = app.stage.compositor.window
        return app.stage.compositor.surfaces.first {
          guard case .subsurface(let parent, _, _, _) = $0.role else { return false }
          return parent == window?.surface.number
        }?.role
      }
      let parent = try #require(app.stage.compositor.window).surface.number
      #expect(role() == .subsurface(parent: parent, isSynchronized: false, x: 0, y: 0))
      let before = try #require(app.stage.video?.counters.bufferCommits)
      view.move(to: PixelRect(x: 60, y: 20, width: 128, height: 72))
      #expect(
        try await app.isNever(milliseconds: 40) {
          // Nothing of it is seen before the parent's commit: not the place, not the size.
          app.stage.pixel(10, 5) != .pureRed && app.stage.pixel(10, 5)?.distance(to: .pureRed) ?? 255 > 8
            || app.stage.pixel(150, 80) != gray
        })
      try await app.stage.wait(for: "the picture of the new size") {
        (app.stage.video?.counters.bufferCommits ?? 0) > before
      }
      #expect(role() == .subsurface(parent: parent, isSynchronized: true, x: 0, y: 0))
      app.window.setNeedsDraw()
      try await app.wait(forPixel: 180, 88, toBe: .pureRed)
      #expect(app.stage.pixel(10, 5) == gray)
      // Afterwards the pictures don't wait for the parent.
      try await app.stage.wait(for: "the end of the resize") {
        role() == .subsurface(parent: parent, isSynchronized: false, x: 60, y: 20)
      }
      try app.player.show(FramePainter(width: 64, height: 36).frame(.pureBlue))
      try await app.wait(forPixel: 180, 88, toBe: .pureBlue)
      try await app.end()
    }

    @Test func aParentThatNeverCommitsDoesNotStopThePictures() async throws {
      let app = try await App()
      let view = try KitePlayerView(
        connection: app.stage.connection, parent: app.window.surface,
        frame: PixelRect(x: 0, y: 0, width: 64, height: 36))
      app.view = view
      view.rendererFactory = StandardRendererFactory()
      view.player = app.player
      app.window.setNeedsDraw()
      try app.player.show(FramePainter(width: 64, height: 36).frame(.pureRed))
      try await app.wait(forPixel: 10, 5, toBe: .pureRed)
      view.move(to: PixelRect(x: 0, y: 0, width: 128, height: 72))
      try app.player.show(FramePainter(width: 64, height: 36).frame(.pureBlue))
      try await app.wait(forPixel: 120, 68, toBe: .pureBlue)
      try await app.end()
    }

    @Test func viewsOfOneParentAreStacked() async throws {
      let app = try await App()
      let players = [FakePlayer(), FakePlayer()]
      let views = try [0, 10].map {
        try KitePlayerView(
          connection: app.stage.connection, parent: app.window.surface,
          frame: PixelRect(x: $0, y: 0, width: 64, height: 36))
      }
      for (view, player) in zip(views, players) {
        view.rendererFactory = StandardRendererFactory()
        view.player = player
      }
      app.window.setNeedsDraw()
      let painter = FramePainter(width: 64, height: 36)
      try players[0].show(painter.frame(.pureRed))
      try players[1].show(painter.frame(.pureBlue))
      // The newer one lies above.
      try await app.wait(forPixel: 30, 18, toBe: .pureBlue)
      #expect(views[0].placeAbove(views[1]))
      app.window.setNeedsDraw()
      try await app.wait(forPixel: 30, 18, toBe: .pureRed)
      #expect(views[0].placeBelow(views[1]))
      app.window.setNeedsDraw()
      try await app.wait(forPixel: 30, 18, toBe: .pureBlue)
      #expect(views[1].placeBelowParent())
      app.window.setNeedsDraw()
      try await app.wait(forPixel: 70, 18, toBe: gray)
      try await app.wait(forPixel: 30, 18, toBe: .pureRed)
      // Mistakes are none to the compositor.
      let (window, other) = try await app.stage.openView()
      #expect(!views[0].placeAbove(other) && !other.placeBelow(views[0]) && !other.placeBelowParent())
      #expect(!views[0].placeAbove(views[0]))
      other.close()
      window.close()
      for view in views { view.close() }
      #expect(!views[0].placeAbove(views[1]))
      try await app.end()
    }

    @Test func aViewInsideFollowsTheScale() async throws {
      let app = try await App()
      let view = try KitePlayerView(
        connection: app.stage.connection, parent: app.window.surface,
        frame: PixelRect(x: 20, y: 10, width: 64, height: 36))
      app.view = view
      view.rendererFactory = StandardRendererFactory()
      view.player = app.player
      app.window.setNeedsDraw()
      try app.player.show(FramePainter(width: 64, height: 36).quarters())
      try await app.wait(forPixel: 30, 15, toBe: .pureRed)
      app.stage.compositor.setScale(180)
      try await app.stage.wait(for: "the picture in physical pixels") {
        app.stage.video?.buffer?.width == 96 && app.stage.video?.buffer?.height == 54
      }
      try await app.wait(forPixel: 31, 16, toBe: .pureRed)
      try await app.wait(forPixel: 124, 67, toBe: .white)
      try await app.end()
    }

    @Test func aViewWhoseParentEndedGoesOnInAnother() async throws {
      let app = try await App()
      let view = try KitePlayerView(
        connection: app.stage.connection, foreignParent: #require(app.window.surface.rawPointer),
        frame: PixelRect(x: 0, y: 0, width: 64, height: 36))
      view.rendererFactory = StandardRendererFactory()
      view.player = app.player
      app.window.setNeedsDraw()
      try app.player.show(FramePainter(width: 64, height: 36).frame(.pureRed))
      try await app.wait(forPixel: 10, 5, toBe: .pureRed)
      app.window.close()
      try app.player.show(FramePainter(width: 64, height: 36).frame(.pureBlue))
      view.move(to: PixelRect(x: 0, y: 0, width: 80, height: 50))
      try await app.stage.play(milliseconds: 30)
      let window = try await app.stage.openWindow()
      try view.move(to: window)
      try await app.wait(forPixel: 30, 18, toBe: .pureBlue)
      view.close()
      window.close()
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
