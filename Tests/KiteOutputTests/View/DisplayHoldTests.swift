import KiteCore
import KiteViews
import TestCompositor
import Testing
import ViewStage
import WaylandToolkit

extension ViewTests {
  /// The display is kept awake by an inhibitor on the surface that shows the pictures. The compositor takes down what is
  /// wrong with inhibitors: two on one surface, one on a surface that is not mapped, one that outlives its surface.
  @MainActor
  @Suite(.serialized) struct DisplayHoldTests {
    /// A view that shows a picture of a playing video.
    private func play() async throws -> Show {
      let show = try await Show()
      show.player.change {
        $0.status = .playing
        $0.videoSize = PixelSize(width: 64, height: 36)
      }
      try await show.show(FramePainter(width: 64, height: 36).frame(.white))
      try await waitForInhibitors(1, in: show)
      return show
    }

    /// Inhibitors on the surface that shows the pictures.
    private func inhibitors(_ show: Show) -> Int { show.stage.video?.inhibitors ?? 0 }

    private func waitForInhibitors(_ count: Int, in show: Show) async throws {
      try await show.stage.wait(for: "\(count) inhibitors", detail: "\(inhibitors(show))") {
        inhibitors(show) == count
      }
    }

    private func end(_ show: Show) async throws {
      try await show.end()
      #expect(show.compositor.violations == [])
      #expect(show.compositor.sentErrors == [])
    }

    @Test func aPlayingVideoHasOneInhibitorOnItsSurface() async throws {
      let show = try await play()
      #expect(show.compositor.surfaces.map(\.inhibitors).reduce(0, +) == 1)
      try await end(show)
      #expect(show.compositor.counts.inhibitorsMade == 1)
    }

    @Test func nothingIsHeldBeforeThePictureIsThere() async throws {
      let show = try await Show()
      show.player.change {
        $0.status = .playing
        $0.videoSize = PixelSize(width: 64, height: 36)
      }
      try await show.stage.play(milliseconds: 20)
      #expect(show.compositor.counts.inhibitorsMade == 0)
      try await show.show(FramePainter(width: 64, height: 36).frame(.white))
      try await waitForInhibitors(1, in: show)
      try await end(show)
    }

    @Test func aPauseLetsTheDisplaySleepAndPlayingKeepsItAwakeAgain() async throws {
      let show = try await play()
      show.player.pause()
      try await waitForInhibitors(0, in: show)
      show.player.play()
      try await waitForInhibitors(1, in: show)
      try await end(show)
      #expect(show.compositor.counts.inhibitorsMade == 2)
    }

    @Test func soundAloneLetsTheDisplaySleep() async throws {
      let show = try await play()
      show.player.change { $0.videoSize = nil }
      try await waitForInhibitors(0, in: show)
      try await end(show)
    }

    @Test func theWishIsLive() async throws {
      let show = try await play()
      show.view.keepsDisplayAwake = false
      try await waitForInhibitors(0, in: show)
      show.view.keepsDisplayAwake = true
      try await waitForInhibitors(1, in: show)
      try await end(show)
    }

    @Test func aSuspendedWindowLetsTheDisplaySleep() async throws {
      let show = try await play()
      show.compositor.setSuspended(true)
      try await waitForInhibitors(0, in: show)
      show.compositor.setSuspended(false)
      try await waitForInhibitors(1, in: show)
      try await end(show)
    }

    @Test func aWindowThatIsHiddenAndShownAgainTakesANewOne() async throws {
      let show = try await play()
      show.window.hide()
      try await waitForInhibitors(0, in: show)
      try show.window.show()
      try await waitForInhibitors(1, in: show)
      try await end(show)
    }

    @Test func withoutAPlayerTheDisplaySleeps() async throws {
      let show = try await play()
      show.view.player = nil
      try await waitForInhibitors(0, in: show)
      try await end(show)
    }

    @Test func aCloseWhilePlayingEndsTheInhibitorBeforeItsSurface() async throws {
      let show = try await play()
      show.view.close()
      try await show.stage.wait(for: "the end of the surface") { show.stage.video == nil }
      try await end(show)
      #expect(
        show.compositor.requests("zwp_idle_inhibitor_v1", "destroy").count == 1)
    }

    @Test func aLostConnectionEndsTheHold() async throws {
      let show = try await play()
      show.compositor.dropClients()
      try await show.stage.wait(for: "the loss") { !show.stage.errors.isEmpty }
      #expect(!show.view.hasPicture)
      // Nothing that is done now reaches for what is gone.
      show.player.pause()
      show.player.play()
      show.view.keepsDisplayAwake = false
      try await show.stage.play(milliseconds: 5)
      show.view.close()
      show.window.close()
      show.stage.connection.close()
    }

    @Test func aJoinBetweenTwoItemsDropsNothing() async throws {
      let show = try await play()
      for status in [PlaybackStatus.ended, .opening, .buffering, .playing] {
        show.player.change { $0.status = status }
        try await show.stage.play(milliseconds: 5)
        #expect(inhibitors(show) == 1, "\(status)")
      }
      try await end(show)
      #expect(show.compositor.counts.inhibitorsMade == 1)
    }
  }
}
