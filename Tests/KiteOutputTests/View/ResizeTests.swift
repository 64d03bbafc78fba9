import KiteCore
import KiteOutput
import KiteSystem
import TestCompositor
import Testing
import ViewStage
import WaylandToolkit

@testable import KiteViews

/// Renderers that show pictures of every size and don't say so.
private final class SilentFactory: RendererFactory {
  func makeRenderer(for target: RendererTarget) throws -> (any ViewRenderer)? {
    try StandardRendererFactory().makeRenderer(
      for: RendererTarget(
        display: target.display, surface: target.surface, viewport: target.viewport, ledger: target.ledger,
        prefersDmabuf: target.prefersDmabuf, geometry: target.geometry
      ) { report in
        if case .adapted = report { return }
        target.report(report)
      })
  }
}

extension ViewTests {
  /// A window and the picture in it change their size in one step.
  @MainActor struct ResizeTests {
    /// As long as a busy machine may take.
    private func show(_ configuration: CompositorConfiguration) async throws -> Show {
      let show = try await Show(configuration)
      let host = try #require(show.view.host as? WindowHost)
      host.patience = .seconds(20)
      try await show.show(FramePainter(color: .sd, width: 64, height: 36).frame(.pureRed))
      try await show.wait(forPixel: 10, 5, toBe: .pureRed)
      try await show.stage.wait(for: "the picture's report") { show.view.hasPicture }
      return show
    }

    private func resize(_ show: Show, to width: Int, _ height: Int) async throws {
      show.compositor.resizeWindows(width: width, height: height)
      try await show.stage.wait(for: "a window of \(width)x\(height)", detail: show.detail()) {
        show.compositor.resizes.last?.size == SurfaceSize(width, height)
      }
    }

    @Test func aPausedPictureHasTheWindowsSizeFromItsFirstCommitOn() async throws {
      let show = try await show(.standard)
      for step in 0..<12 { try await resize(show, to: 70 + step * 13 % 50, 40 + step * 7 % 30) }
      #expect(show.compositor.resizes.count >= 12)
      for change in show.compositor.resizes {
        #expect(change.parts == [Box(0, 0, change.size.width, change.size.height)])
      }
      #expect(show.compositor.violations == [])
      try await show.end()
    }

    @Test func soIsItsPlaceWhereTheCompositorScalesIt() async throws {
      let show = try await show(.yuv)
      // Higher, then wider than the picture: bars above and below, then at the sides.
      try await resize(show, to: 64, 136)
      try await resize(show, to: 264, 36)
      #expect(
        show.compositor.resizes.map(\.parts) == [[Box(0, 50, 64, 36)], [Box(100, 0, 64, 36)]])
      try await show.end()
    }

    @Test func whilePlayingTheNextFrameIsWaitedFor() async throws {
      let show = try await show(.standard)
      let painter = FramePainter(width: 64, height: 36, limit: 32)
      for step in 0..<12 {
        show.compositor.resizeWindows(width: 70 + step * 13 % 50, height: 40 + step * 7 % 30)
        for _ in 0..<3 {
          try show.player.show(painter.frame(.gray(step * 9)))
          try await show.stage.play(milliseconds: 6)
        }
      }
      try await show.stage.wait(for: "all frames") { show.view.framesInFlight == 0 }
      try await resize(show, to: 64, 48)
      for change in show.compositor.resizes {
        #expect(change.parts == [Box(0, 0, change.size.width, change.size.height)])
      }
      #expect(show.view.failedFrames == 0)
      try await show.end()
    }

    @Test func pictureAndWindowAreFreeOfEachOtherAfterwards() async throws {
      let show = try await show(.standard)
      try await resize(show, to: 100, 60)
      try await show.stage.wait(for: "the end of the resize") {
        guard case .subsurface(_, let isSynchronized, _, _) = show.stage.video?.role else { return false }
        return !isSynchronized
      }
      let commits = try #require(show.compositor.window).surface.counters.commits
      try show.player.show(FramePainter(width: 64, height: 36).frame(.pureBlue))
      try await show.wait(forPixel: 50, 30, toBe: .pureBlue)
      #expect(show.compositor.window?.surface.counters.commits == commits)
      try await show.end()
    }

    @Test func aPictureThatDoesNotComeHoldsTheWindowUpOnlyForAWhile() async throws {
      let show = try await show(.standard)
      show.view.rendererFactory = SilentFactory()
      try await show.wait(forPixel: 10, 5, toBe: .pureRed)
      try await show.stage.wait(for: "the picture's report") { show.view.hasPicture }
      let host = try #require(show.view.host as? WindowHost)
      host.patience = .milliseconds(1)
      try await resize(show, to: 100, 60)
      try await show.wait(forPixel: 90, 50, toBe: .pureRed)
      try await resize(show, to: 110, 70)
      try await show.wait(forPixel: 100, 60, toBe: .pureRed)
      try await show.end()
    }

    @Test func theEndOfAWindowThatWaitsForItsPictureIsClean() async throws {
      let show = try await show(.standard)
      show.compositor.resizeWindows(width: 100, height: 60)
      try await show.stage.wait(for: "the new geometry") { show.window.geometry?.size.width == 100 }
      show.window.hide()
      try await show.stage.wait(for: "no picture") { show.view.hasPicture == false }
      try show.window.show()
      try await show.wait(forPixel: 10, 5, toBe: .pureRed)
      #expect(show.compositor.sentErrors == [])
      #expect(show.compositor.violations == [])
      try await show.end()
    }
  }
}
