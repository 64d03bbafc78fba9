import KiteCore
import KiteSystem
import KiteViews
import TestCompositor
import Testing
import ViewStage

extension ViewTests {
  /// A compositor that keeps callbacks and buffers to itself: waits are bounded, and nothing is used twice.
  @MainActor struct WithholdingTests {
    @Test func withoutFrameCallbacksOneCommitIsMadeAndTheNewestFrameWaits() async throws {
      // Nor anything else that tells of frames.
      let show = try await Show(
        .standard.without("wp_presentation").with { $0.withholdsFrameCallbacks = true })
      let painter = FramePainter(width: 64, height: 36, limit: 32)
      try await show.show(painter.frame(.gray(20)))
      let commits = try #require(show.stage.video).counters.bufferCommits
      for level in 0..<10 { try show.player.show(painter.frame(.gray(100 + level))) }
      try await show.stage.play(milliseconds: 100)
      #expect(show.stage.video?.counters.bufferCommits == commits)
      // The renderer does not wait for ever: what is newest by then goes out.
      try await show.wait(forPixel: 30, 18, toBe: .gray(109))
      #expect(show.stage.video?.counters.bufferCommits == commits + 1)
      show.compositor.withholdsFrameCallbacks = false
      try await show.waitUntilSettled()
      let counts = show.view.frameCounts
      #expect(counts.accepted == 11 && counts.presented == 2 && counts.superseded == 9)
      try await show.end()
    }

    /// The compositor swallows frame callbacks; its answers to the frames themselves are evidence enough.
    @Test func callbacksThatGetLostStopNothingWhereFramesAreAnswered() async throws {
      let show = try await Show()
      let painter = FramePainter(width: 64, height: 36, limit: 32)
      show.compositor.withholdsFrameCallbacks = true
      while show.view.presentedFrames < 10 {
        try show.player.show(painter.frame(.gray(40)))
        try await show.stage.play(milliseconds: 9)
      }
      // Waiting for each callback as long as for a hidden surface's, most of 1,000 would have been replaced.
      #expect(show.view.frameCounts.accepted < 300, "\(show.view.frameCounts)")
      show.compositor.withholdsFrameCallbacks = false
      try await show.end()
    }

    @Test func heldBuffersAreNeitherWrittenNorAttachedAgain() async throws {
      let show = try await Show(.standard.with { $0.releases = .withheld }, hertz: 240)
      let painter = FramePainter(width: 64, height: 36, limit: 32)
      let start = MonotonicTime.now
      for index in 0..<40 {
        try show.player.show(painter.frame(.gray(index * 5)))
        try await show.stage.play(milliseconds: 8)
      }
      #expect(show.compositor.violations == [])
      // Three buffers are with the compositor, one more for every one that counts as lost: each does after half a second.
      let lost = 3 * Int((MonotonicTime.now - start) / 500_000_000)
      #expect(show.compositor.counts.buffersMade <= 8 + lost)
      show.compositor.releases = .whenReplaced
      try show.player.show(painter.frame(.pureRed))
      try await show.wait(forPixel: 30, 18, toBe: .pureRed)
      try await show.waitUntilSettled()
      let counts = show.view.frameCounts
      #expect(counts.accepted == 41 && counts.failed == 0)
      #expect(show.compositor.violations == [])
      try await show.end()
    }

    @Test func aCompositorThatNeverGivesBuffersBackStillGetsPictures() async throws {
      let show = try await Show(.standard.with { $0.releases = .withheld }, hertz: 240)
      let painter = FramePainter(width: 64, height: 36, limit: 32)
      for level in [40, 80, 120, 160, 200] {
        try show.player.show(painter.frame(.gray(level)))
        try await show.wait(forPixel: 30, 18, toBe: .gray(level))
      }
      #expect(show.compositor.violations == [])
      try await show.end()
    }

    @Test func aCompositorThatCopiesIsServedFromOneBuffer() async throws {
      let show = try await Show(.standard.with { $0.releases = .atOnce }, hertz: 240)
      let painter = FramePainter(width: 64, height: 36, limit: 32)
      for level in [40, 80, 120, 160, 200] {
        try show.player.show(painter.frame(.gray(level)))
        try await show.wait(forPixel: 30, 18, toBe: .gray(level))
      }
      // The black pixel is the other one.
      #expect(show.compositor.counts.buffersMade <= 4)
      #expect(show.compositor.violations == [])
      try await show.end()
    }

    @Test func aReleaseAfterTheViewClosedIsNoMatter() async throws {
      let show = try await Show(.standard.with { $0.releases = .withheld })
      let painter = FramePainter(width: 64, height: 36)
      try await show.show(painter.frame(.white))
      try await show.show(painter.frame(.gray(50)))
      show.view.close()
      try await show.stage.play(milliseconds: 20)
      show.compositor.releaseBuffers()
      try await show.stage.play(milliseconds: 20)
      #expect(show.stage.errors.isEmpty)
      #expect(show.compositor.sentErrors.isEmpty)
      try await show.end()
    }

    @Test func aCloseWhileTheCompositorHasTheFrameEndsTheRenderer() async throws {
      let show = try await Show(hertz: nil)
      try await show.show(FramePainter(width: 64, height: 36).frame(.white))
      let threads = ProcessFacts.presenterThreads
      show.view.close()
      try await show.waitUntilSettled()
      try await show.stage.wait(for: "the end of the presenter's thread") {
        ProcessFacts.presenterThreads < threads
      }
      #expect(show.view.failedFrames == 1)
      #expect(show.player.rendererCount == 0)
      try await show.end()
    }

    @Test func memoryOfFramesGoesBackToTheDecoder() async throws {
      let show = try await Show(hertz: 240)
      let painter = FramePainter(width: 64, height: 36, limit: 12)
      for index in 0..<60 {
        try show.player.show(painter.frame(.gray(index * 4)))
        try await show.stage.play(milliseconds: 5)
      }
      // The picture that is shown is kept for repaints, and by the player.
      try await show.stage.wait(for: "the frames") { painter.pool.slotsOnLoan <= 1 }
      try await show.end()
    }
  }
}
