import KiteCore
import KiteOutput
import KiteSystem
import KiteViews
import TestCompositor
import Testing
import ViewStage
import WaylandToolkit

extension ViewTests {
  /// The lifecycle's rows with Kite's own renderers, as the compositor's screen shows them.
  @MainActor struct LifecycleTests {
    /// A second window with a view, on the stage of `show`, placed before it is waited for.
    private func openSecond(_ show: Show) async throws -> (window: Window, view: KitePlayerView) {
      let window = try Window(
        show.stage.connection, title: "Second", appID: "org.example.Test",
        size: LogicalSize(width: 64, height: 36))
      let view = try KitePlayerView(in: window)
      view.rendererFactory = StandardRendererFactory()
      try window.show()
      try await show.stage.wait(for: "the second window") {
        show.compositor.windows.count == 2 && show.compositor.windows.allSatisfy { $0.surface.isMapped }
      }
      return (window, view)
    }

    private func wait(
      _ show: Show, forPixel x: Int, _ y: Int, ofWindow index: Int, toBe color: Picture.Pixel
    ) async throws {
      let number = try #require(show.compositor.windows.dropFirst(index).first).surface.number
      try await show.stage.wait(for: "\(color) at \(x), \(y) of window \(index)", detail: show.detail()) {
        show.compositor.pixel(x, y, ofWindow: number).map { $0.distance(to: color) <= 8 } ?? false
      }
    }

    private func expectInOrder(_ show: Show) {
      #expect(show.compositor.violations == [])
      #expect(show.compositor.sentErrors == [])
      #expect(show.stage.errors.isEmpty)
    }

    @Test func theLoserKeepsItsLastPictureAtAnySizeAndComesBack() async throws {
      let show = try await Show()
      let painter = FramePainter(width: 64, height: 36)
      try await show.show(painter.frame(.pureRed))
      try await show.wait(forPixel: 30, 18, toBe: .pureRed)
      let second = try await openSecond(show)
      // On its way when the other view takes over: it is the loser's last picture.
      try show.player.show(painter.frame(.pureGreen))
      second.view.player = show.player
      try await wait(show, forPixel: 30, 18, ofWindow: 0, toBe: .pureGreen)
      try await wait(show, forPixel: 30, 18, ofWindow: 1, toBe: .pureGreen)
      // The word comes from the player's thread.
      try await show.stage.wait(for: "the word of the displacement") { show.view.isDisplaced }
      #expect(!second.view.isDisplaced)
      try show.player.show(painter.frame(.pureBlue))
      try await wait(show, forPixel: 30, 18, ofWindow: 1, toBe: .pureBlue)
      show.compositor.resizeWindows(width: 128, height: 72)
      try await wait(show, forPixel: 120, 68, ofWindow: 0, toBe: .pureGreen)
      try await wait(show, forPixel: 120, 68, ofWindow: 1, toBe: .pureBlue)
      second.view.player = nil
      try await wait(show, forPixel: 120, 68, ofWindow: 0, toBe: .pureBlue)
      try await show.stage.wait(for: "the word") { !show.view.isDisplaced }
      try await show.waitUntilSettled()
      second.view.close()
      second.window.close()
      expectInOrder(show)
      try await show.end()
    }

    @Test(arguments: [false, true]) func aViewMovesBetweenWindows(isDirect: Bool) async throws {
      let show = try await Show(isDirect ? .yuv : .standard)
      try await show.show(FramePainter(color: .sd, width: 64, height: 36).frame(.pureRed))
      try await show.wait(forPixel: 30, 18, toBe: .pureRed)
      let target = try await show.stage.openWindow(width: 100, height: 50)
      try show.view.move(to: target)
      #expect(!show.view.hasPicture)
      try await show.stage.wait(for: "the second window") { show.compositor.windows.count == 2 }
      try await wait(show, forPixel: 50, 25, ofWindow: 1, toBe: .pureRed)
      // The picture left the first window, which is black now.
      try await wait(show, forPixel: 30, 18, ofWindow: 0, toBe: .black)
      try await show.stage.wait(for: "hasPicture") { show.view.hasPicture }
      #expect(show.player.calls == ["attach", "detach", "attach"])
      // And back.
      try show.view.move(to: show.window)
      try await wait(show, forPixel: 30, 18, ofWindow: 0, toBe: .pureRed)
      #expect(show.player.rendererCount == 1)
      try await show.waitUntilSettled()
      show.view.close()
      target.close()
      expectInOrder(show)
      try await show.end()
    }

    /// What a renderer said of the surface must not meet the next one's buffers: a source rectangle of the first frame's
    /// size would end the connection with the second's.
    @Test func theNextRendererBeginsWithACleanSurface() async throws {
      let show = try await Show(.yuv, width: 32, height: 18)
      show.view.scaleMode = .fill
      try await show.show(
        FramePainter(color: .sd, width: 640, height: 352).frame(.pureRed))
      try await show.wait(forPixel: 16, 9, toBe: .pureRed)
      #expect(show.view.diagnostics.path == .shmDirect)
      #expect(show.stage.video?.source != nil)
      // BT.709: this compositor would show it in wrong colours, so that it is converted, at the view's size.
      let other = FakePlayer()
      try other.show(FramePainter(width: 64, height: 36).frame(.pureBlue))
      show.view.player = other
      try await show.wait(forPixel: 16, 9, toBe: .pureBlue)
      #expect(show.view.diagnostics.path == .shmConverted)
      #expect(show.stage.video?.source == nil)
      try await show.waitUntilSettled()
      expectInOrder(show)
      try await show.end()
    }

    @Test func anotherPlayersPictureIsClearedIfThatIsWanted() async throws {
      let show = try await Show()
      try await show.show(FramePainter(width: 64, height: 36).frame(.pureRed))
      try await show.wait(forPixel: 30, 18, toBe: .pureRed)
      try await show.stage.wait(for: "hasPicture") { show.view.hasPicture }
      show.view.player = nil
      try await show.stage.play(milliseconds: 20)
      #expect(show.view.hasPicture && show.stage.pixel(30, 18) != .black)
      show.view.clearsOnPlayerChange = true
      show.view.player = FakePlayer()
      #expect(!show.view.hasPicture)
      try await show.wait(forPixel: 30, 18, toBe: .black)
      let next = FakePlayer()
      try next.show(FramePainter(width: 64, height: 36).frame(.pureBlue))
      show.view.player = next
      try await show.wait(forPixel: 30, 18, toBe: .pureBlue)
      try await show.stage.wait(for: "hasPicture") { show.view.hasPicture }
      show.view.player = nil
      #expect(!show.view.hasPicture)
      try await show.wait(forPixel: 30, 18, toBe: .black)
      try await show.waitUntilSettled()
      expectInOrder(show)
      try await show.end()
    }

    @Test func unmappingStopsOnlyThePicture() async throws {
      let show = try await Show()
      let painter = FramePainter(width: 64, height: 36)
      show.player.play()
      try await show.show(painter.frame(.pureRed))
      show.window.hide()
      let accepted = show.view.frameCounts.accepted
      for level in 0..<5 { try show.player.show(painter.frame(.gray(level * 10))) }
      #expect(show.view.frameCounts.accepted == accepted)
      #expect(show.player.state.status == .playing)
      try await show.waitUntilSettled()
      try show.player.show(painter.frame(.pureBlue))
      try show.window.show()
      try await show.wait(forPixel: 30, 18, toBe: .pureBlue)
      #expect(show.player.calls == ["attach", "play", "detach", "attach"])
      try await show.waitUntilSettled()
      expectInOrder(show)
      try await show.end()
    }

    @Test func theCompositorComesBackAndThePictureWithIt() async throws {
      let show = try await Show()
      try await show.show(FramePainter(width: 64, height: 36).frame(.pureRed))
      show.compositor.dropClients()
      try await show.stage.wait(for: "the error") { !show.stage.errors.isEmpty }
      #expect(!show.view.hasPicture)
      try await show.waitUntilSettled()
      let again = try Stage()
      let window = try await again.openWindow()
      try show.view.move(to: window)
      try await again.wait(for: "the picture") {
        again.pixel(30, 18).map { $0.distance(to: .pureRed) <= 8 } ?? false
      }
      try await again.wait(for: "hasPicture") { show.view.hasPicture }
      #expect(show.player.calls == ["attach", "detach", "attach"])
      show.view.close()
      window.close()
      try await again.play(milliseconds: 3)
      #expect(again.errors.isEmpty && again.compositor.sentErrors == [])
      again.connection.close()
      try await show.end()
    }

    /// A renderer starts on a thread of its own: what it is made for may be gone before it has begun.
    @Test func aViewThatGoesWhileItsPresenterStartsLeavesNothingWrong() async throws {
      let stage = try Stage(.standard.with { $0.recordLimit = 100 })
      for round in 0..<60 {
        let (window, view) = try await stage.openView(factory: StandardRendererFactory())
        let player = FakePlayer()
        try player.show(FramePainter(width: 64, height: 36).frame(.white))
        // A compositor that does not answer holds the presenter between its connecting and its taking of the surface.
        stage.compositor.isStalled = round % 3 != 0
        view.player = player
        if round % 2 == 0 { try await Task.sleep(for: .milliseconds(round % 5)) }
        switch round % 4 {
        case 0: view.player = nil
        case 1: view.close()
        case 2: window.hide()
        default: window.close()
        }
        view.close()
        window.close()
        stage.compositor.isStalled = false
        try await stage.wait(for: "the fate of all frames") { view.framesInFlight == 0 }
        try await stage.wait(for: "the end of round \(round)") { stage.compositor.windows.isEmpty }
        #expect(player.rendererCount == 0)
        #expect(stage.errors.isEmpty && stage.compositor.sentErrors == [])
      }
      try await stage.play(milliseconds: 20)
      #expect(stage.errors.isEmpty && stage.compositor.violations == [])
      let counts = stage.compositor.counts
      #expect(counts.surfacesMade == counts.surfacesDestroyed)
      stage.connection.close()
    }
  }
}
