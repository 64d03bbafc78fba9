import KiteCore
import KiteSystem
import KiteViews
import TestCompositor
import Testing
import ViewStage
import Wayland
import WaylandToolkit

extension ViewTests {
  /// What a compositor does never ends the process: it becomes an error that says what happened.
  @MainActor struct DisasterTests {
    @Test func aProtocolErrorSaysObjectCodeAndMessage() async throws {
      let show = try await Show()
      try await show.show(FramePainter(width: 64, height: 36).frame(.white))
      let window = try #require(show.compositor.window)
      show.compositor.postErrorOnWindow(code: 4, "a made-up reason")
      try await show.stage.wait(for: "the error") { !show.stage.errors.isEmpty }
      let id = try #require(show.compositor.sentErrors.first).object
      #expect(
        show.stage.errors == [
          .connection(
            .protocolError(
              ProtocolError(interface: "xdg_surface", object: id, code: 4, message: "a made-up reason")))
        ])
      #expect(window.surface.number > 0)
      try await everythingIsSafe(show)
    }

    @Test func aSocketThatDropsWhilePlayingIsAnErrorAndFramesAreSettled() async throws {
      let show = try await Show(hertz: 240)
      let painter = FramePainter(width: 64, height: 36, limit: 32)
      for index in 0..<30 {
        if index == 15 { show.compositor.dropClients() }
        try show.player.show(painter.frame(.gray(index)))
        try await show.stage.play(milliseconds: 5)
      }
      try await show.stage.wait(for: "the error") { !show.stage.errors.isEmpty }
      guard case .connection(.disconnected) = show.stage.errors[0] else {
        Issue.record("\(show.stage.errors)")
        return
      }
      #expect(show.stage.errors.count == 1)
      try await everythingIsSafe(show)
    }

    /// After the connection died, every member still does nothing wrong, and all frames are settled.
    private func everythingIsSafe(_ show: Show) async throws {
      let painter = FramePainter(width: 64, height: 36)
      try show.player.show(painter.frame(.white))
      show.view.scaleMode = .fill
      show.view.prefersDmabuf = false
      show.window.setNeedsDraw()
      try await show.waitUntilSettled()
      let counts = show.view.frameCounts
      #expect(counts.accepted == counts.presented + counts.superseded + counts.failed)
      show.view.player = nil
      show.view.close()
      show.window.close()
      try await show.stage.play(milliseconds: 5)
      #expect(throws: (any Error).self) { try KitePlayerView(in: show.window) }
      show.stage.connection.close()
      #expect(show.player.rendererCount == 0)
    }

    @Test func aStalledCompositorIsNotFloodedAndThePictureGoesOn() async throws {
      let show = try await Show(hertz: 240)
      let painter = FramePainter(width: 64, height: 36, limit: 64)
      try await show.show(painter.frame(.gray(10)))
      show.compositor.isStalled = true
      for index in 0..<300 {
        try show.player.show(painter.frame(.gray(index % 200)))
        show.window.setNeedsDraw()
        try await show.stage.play(milliseconds: 3)
      }
      show.compositor.isStalled = false
      try show.player.show(painter.frame(.pureBlue))
      try await show.wait(forPixel: 30, 18, toBe: .pureBlue)
      #expect(show.stage.errors.isEmpty)
      try await show.waitUntilSettled()
      #expect(show.view.frameCounts.accepted == 302)
      try await show.end()
    }

    @Test func aFullSocketIsNoEnd() async throws {
      let show = try await Show(hertz: 240)
      let painter = FramePainter(width: 64, height: 36, limit: 64)
      for round in 0..<5 {
        try await show.show(painter.frame(.gray(round)))
        show.compositor.isStalled = true
        var isFull = false
        while !isFull {
          show.window.surface.damage(x: 0, y: 0, width: 1, height: 1)
          isFull = try show.stage.connection.display.flush() == .blocked
        }
        for index in 0..<10 {
          try show.player.show(painter.frame(.gray(50 + index)))
          try await show.stage.play(milliseconds: 3)
        }
        show.compositor.isStalled = false
        try await show.wait(forPixel: 30, 18, toBe: .gray(59))
      }
      #expect(show.stage.errors.isEmpty)
      try await show.waitUntilSettled()
      #expect(show.view.frameCounts.accepted == 55)
      try await show.end()
    }

    @Test func aCloseWhileTheCompositorIsStalledDoesNotWaitForIt() async throws {
      let show = try await Show(hertz: nil)
      try await show.show(FramePainter(width: 64, height: 36).frame(.white))
      show.compositor.isStalled = true
      show.view.close()
      show.window.close()
      try await show.waitUntilSettled()
      show.compositor.isStalled = false
      try await show.end()
    }

    @Test func aCloseEventReachesTheAppAndNothingHappensByItself() async throws {
      let show = try await Show()
      var asked = 0
      show.window.onCloseRequest = { asked += 1 }
      show.compositor.sendClose()
      try await show.stage.wait(for: "the request") { asked == 1 }
      try await show.show(FramePainter(width: 64, height: 36).frame(.white))
      try await show.end()
    }

    @Test func pingsAreAnswered() async throws {
      let show = try await Show()
      show.compositor.ping()
      #expect(show.compositor.openPings == 1)
      try await show.stage.wait(for: "the pong") { show.compositor.openPings == 0 }
      try await show.end()
    }
  }
}
