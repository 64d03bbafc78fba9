import KiteCore
import KiteOutput
import KiteSystem
import KiteViews
import TestCompositor
import Testing
import ViewStage
import WaylandToolkit

extension ViewTests {
  /// A paused picture stays and comes back by itself: nothing of the player changes for it.
  @MainActor struct RepaintTests {
    @Test(arguments: [false, true]) func aPausedPictureFollowsSizeAndScale(isDirect: Bool) async throws {
      let show = try await Show(isDirect ? .yuv : .standard)
      try await show.show(FramePainter(color: .sd, width: 64, height: 36).quarters())
      try await show.wait(forPixel: 10, 5, toBe: .pureRed)
      let buffers = show.compositor.counts.buffersMade
      show.compositor.resizeWindows(width: 200, height: 80)
      // Fitted: bars left and right of 142 pixels.
      try await show.wait(forPixel: 40, 10, toBe: .pureRed)
      try await show.wait(forPixel: 160, 70, toBe: .white)
      try await show.wait(forPixel: 10, 40, toBe: .black)
      show.compositor.setScale(180)
      try await show.wait(forPixel: 60, 15, toBe: .pureRed)
      try await show.wait(forPixel: 240, 105, toBe: .white)
      try await show.wait(forPixel: 15, 60, toBe: .black)
      #expect(show.player.calls == ["attach"])
      if isDirect {
        // The memory is there already: only its place changes, and nothing is converted.
        #expect(show.view.diagnostics.path == .shmDirect)
        #expect(show.compositor.counts.buffersMade == buffers)
      }
      #expect(show.compositor.violations == [])
      #expect(show.compositor.sentErrors == [])
      try await show.end()
    }

    @Test func aPausedPictureComesBackWithTheWindow() async throws {
      let show = try await Show()
      try await show.show(FramePainter(width: 64, height: 36).quarters())
      try await show.wait(forPixel: 10, 5, toBe: .pureRed)
      show.window.hide()
      #expect(!show.view.hasPicture)
      try await show.stage.wait(for: "the window to go") { show.compositor.screenshot() == nil }
      try show.window.show()
      try await show.wait(forPixel: 10, 5, toBe: .pureRed)
      try await show.stage.wait(for: "hasPicture") { show.view.hasPicture }
      #expect(show.player.calls == ["attach", "detach", "attach"])
      #expect(show.compositor.violations == [])
      #expect(show.compositor.sentErrors == [])
      try await show.end()
    }

    @Test(arguments: [false, true]) func thePictureOutlivesThePlayer(isDirect: Bool) async throws {
      let show = try await Show(isDirect ? .yuv : .standard)
      try await show.show(FramePainter(color: .sd, width: 64, height: 36).quarters())
      try await show.wait(forPixel: 10, 5, toBe: .pureRed)
      try await show.stage.wait(for: "hasPicture") { show.view.hasPicture }
      show.view.player = nil
      try await show.stage.play(milliseconds: 100)
      #expect(show.view.hasPicture)
      #expect(show.stage.pixel(10, 5)?.distance(to: .pureRed) ?? 255 <= 8)
      #expect(show.compositor.violations == [])
      try await show.end()
    }

    @Test func aSecondPlayersPictureReplacesTheFirst() async throws {
      let show = try await Show()
      let painter = FramePainter(width: 64, height: 36)
      try await show.show(painter.frame(.pureRed))
      try await show.wait(forPixel: 10, 5, toBe: .pureRed)
      let other = FakePlayer()
      show.view.player = other
      try await show.stage.play(milliseconds: 20)
      // Until there is another picture the last one stays.
      #expect(show.stage.pixel(10, 5)?.distance(to: .pureRed) ?? 255 <= 8)
      try other.show(painter.frame(.pureBlue))
      try await show.wait(forPixel: 10, 5, toBe: .pureBlue)
      #expect(show.player.rendererCount == 0 && other.rendererCount == 1)
      try await show.waitUntilSettled()
      #expect(show.view.presentedFrames == 2)
      #expect(show.compositor.violations == [])
      try await show.end()
    }

    @Test func aFactoryThatComesLateIsTakenUp() async throws {
      let stage = try Stage()
      let (window, view) = try await stage.openView()
      let player = FakePlayer()
      view.player = player
      try player.show(FramePainter(width: 64, height: 36).frame(.pureGreen))
      try await stage.play(milliseconds: 20)
      #expect(stage.pixel(10, 5) == .black && player.calls.isEmpty)
      view.rendererFactory = StandardRendererFactory()
      try await stage.wait(for: "the picture") { stage.pixel(10, 5)?.distance(to: .pureGreen) ?? 255 <= 8 }
      view.close()
      window.close()
      stage.connection.close()
    }

    @Test func ofTwoViewsTheNewestShowsAndTheOtherComesBack() async throws {
      let first = try await Show()
      let painter = FramePainter(width: 64, height: 36, limit: 8)
      try await first.show(painter.frame(.pureRed))
      try await first.wait(forPixel: 10, 5, toBe: .pureRed)
      let second = try await Show()
      second.view.player = first.player
      try await second.wait(forPixel: 10, 5, toBe: .pureRed)
      try first.player.show(painter.frame(.pureGreen))
      try await second.wait(forPixel: 10, 5, toBe: .pureGreen)
      // The displaced view keeps its last picture.
      try await first.stage.play(milliseconds: 20)
      #expect(first.stage.pixel(10, 5)?.distance(to: .pureRed) ?? 255 <= 8)
      second.view.player = nil
      try await first.wait(forPixel: 10, 5, toBe: .pureGreen)
      try await second.end()
      try await first.end()
    }

    @Test func aViewMovesToAnotherCompositor() async throws {
      let first = try await Show()
      let painter = FramePainter(width: 64, height: 36, limit: 8)
      try await first.show(painter.frame(.pureRed))
      try await first.wait(forPixel: 10, 5, toBe: .pureRed)
      first.compositor.dropClients()
      try await first.stage.wait(for: "the error") { !first.stage.errors.isEmpty }
      let player = first.player
      try await first.end()
      let second = try await Show()
      second.view.player = player
      try await second.wait(forPixel: 10, 5, toBe: .pureRed)
      try await second.end()
    }
  }
}
