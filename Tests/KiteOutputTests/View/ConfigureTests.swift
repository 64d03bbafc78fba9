import KiteCore
import KiteSystem
import KiteViews
import TestCompositor
import Testing
import ViewStage
import WaylandToolkit

extension ViewTests {
  /// Sizes and states as the compositor wants them, however often it changes its mind.
  @MainActor struct ConfigureTests {
    @Test func aStormOfConfiguresIsAnsweredOnceAndOnlyTheLastSizeCounts() async throws {
      let show = try await Show()
      try await show.show(FramePainter(width: 64, height: 36).quarters())
      try await show.wait(forPixel: 10, 5, toBe: .pureRed)
      let acks = try #require(show.compositor.window).acks
      for step in 0..<200 { show.compositor.resizeWindows(width: 100 + step, height: 60 + step) }
      try await show.stage.wait(for: "the last size") {
        show.compositor.window?.surface.size == SurfaceSize(299, 259)
      }
      try await show.stage.wait(for: "its picture") { show.stage.video?.size == SurfaceSize(299, 259) }
      let window = try #require(show.compositor.window)
      #expect(window.configuration == window.applied)
      // Many come with one read of the socket: what is acked in between is no more than reads.
      #expect(window.acks - acks <= 100)
      #expect(window.geometry == Box(0, 0, 299, 259))
      #expect(show.compositor.sentErrors == [])
      #expect(show.compositor.violations == [])
      try await show.end()
    }

    @Test func aPictureFollowsEverySizeWhileItPlays() async throws {
      let show = try await Show(hertz: 240)
      let painter = FramePainter(width: 64, height: 36, limit: 32)
      for step in 0..<60 {
        show.compositor.resizeWindows(width: 40 + step * 7 % 200, height: 30 + step * 5 % 150)
        if step % 3 == 0 { show.compositor.setScale([120, 150, 180, 240][step / 3 % 4]) }
        try show.player.show(painter.frame(.gray(step * 4)))
        try await show.stage.play(milliseconds: 6)
      }
      show.compositor.setScale(150)
      show.compositor.resizeWindows(width: 101, height: 67)
      try show.player.show(painter.frame(.white))
      try await show.stage.wait(for: "the last size", detail: show.detail()) {
        show.stage.video?.size == SurfaceSize(101, 67)
          && show.stage.video?.buffer.map { $0.width == 126 && $0.height == 84 } == true
      }
      try await show.waitUntilSettled()
      #expect(show.view.frameCounts.accepted == 61 && show.view.failedFrames == 0)
      #expect(show.compositor.sentErrors == [])
      #expect(show.compositor.violations == [])
      try await show.end()
    }

    @Test func aMaximizedAndAFullscreenWindowKeepToTheirSize() async throws {
      let show = try await Show()
      try await show.show(FramePainter(width: 64, height: 36).quarters())
      show.window.setMaximized(true)
      try await show.stage.wait(for: "the maximized size") {
        show.compositor.window?.surface.size == SurfaceSize(1920, 1080)
      }
      show.window.setMaximized(false)
      try await show.stage.wait(for: "the own size") {
        show.compositor.window?.surface.size == SurfaceSize(64, 36)
      }
      show.window.setFullscreen(true)
      try await show.stage.wait(for: "the fullscreen size") { show.window.isFullscreen }
      try await show.wait(forPixel: 100, 100, toBe: .pureRed)
      #expect(show.compositor.sentErrors == [])
      try await show.end()
    }

    @Test func aSuspendedWindowCommitsNoFramesAndComesBackWithTheNewest() async throws {
      let show = try await Show(hertz: 240)
      let painter = FramePainter(width: 64, height: 36, limit: 32)
      try await show.show(painter.frame(.gray(10)))
      try await show.waitUntilSettled()
      show.compositor.setSuspended(true)
      try await show.stage.wait(for: "the state") { show.window.geometry?.state.contains(.suspended) == true }
      let commits = show.stage.video?.counters.bufferCommits
      for level in 0..<20 {
        try show.player.show(painter.frame(.gray(100 + level)))
        try await show.stage.play(milliseconds: 3)
      }
      #expect(show.stage.video?.counters.bufferCommits == commits)
      // None of them waits for being seen: memory and clock go on.
      try await show.stage.wait(for: "their fate") { show.view.framesInFlight == 0 }
      #expect(show.view.supersededFrames == 20)
      show.compositor.setSuspended(false)
      try await show.wait(forPixel: 30, 18, toBe: .gray(119))
      #expect(show.view.frameCounts.accepted == 21)
      try await show.end()
    }

    @Test func aWindowOfOldVersionThatIsHiddenByTheCompositorStillComesBack() async throws {
      let show = try await Show(.standard.with("xdg_wm_base", version: 5), hertz: 240)
      let painter = FramePainter(width: 64, height: 36, limit: 32)
      try await show.show(painter.frame(.gray(10)))
      try await show.waitUntilSettled()
      // The client is not told: it only gets no callbacks.
      show.compositor.setSuspended(true)
      for level in 0..<20 {
        try show.player.show(painter.frame(.gray(100 + level)))
        try await show.stage.play(milliseconds: 3)
      }
      show.compositor.setSuspended(false)
      try await show.wait(forPixel: 30, 18, toBe: .gray(119))
      try await show.waitUntilSettled()
      #expect(show.view.frameCounts.accepted == 21 && show.view.failedFrames == 0)
      try await show.end()
    }

    @Test func outputsComeAndGo() async throws {
      let show = try await Show()
      try await show.show(FramePainter(width: 64, height: 36).quarters())
      try show.compositor.addOutput(OutputDescription(name: "TEST-2", refresh: 0))
      try await show.stage.wait(for: "the second output") { show.stage.connection.outputs.count == 2 }
      show.compositor.removeOutput(named: "TEST-1")
      show.compositor.removeOutput(named: "TEST-2")
      try await show.stage.wait(for: "no output") { show.stage.connection.outputs.isEmpty }
      try show.compositor.addOutput(OutputDescription(name: "TEST-3"))
      show.compositor.setScale(240)
      try await show.stage.wait(for: "the scale") { show.stage.video?.buffer?.width == 128 }
      #expect(show.compositor.sentErrors == [])
      try await show.end()
    }
  }
}
