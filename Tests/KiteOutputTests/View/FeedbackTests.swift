import KiteCore
import KiteSystem
import KiteViews
import TestCompositor
import Testing
import ViewStage

@testable import KiteOutput

extension ViewTests {
  /// Every accepted frame ends in exactly one counter, whatever the compositor answers.
  @MainActor struct FeedbackTests {
    /// Shows `count` frames a few milliseconds apart, and looks at the ledger meanwhile.
    private func run(_ show: Show, count: Int) async throws {
      let painter = FramePainter(width: 64, height: 36, limit: 32)
      for index in 0..<count {
        try show.player.show(painter.frame(.gray(index % 200)))
        try await show.stage.play(milliseconds: 9)
        let counts = show.view.frameCounts
        #expect(counts.inFlight >= 0)
        #expect(counts.accepted == counts.presented + counts.superseded + counts.failed + counts.inFlight)
      }
    }

    /// 240 frames a second come 20 ms before their time: five of them wait, and there is room for four.
    @Test func moreFramesThanFitBeforeTheirTimeDoNotPushEachOtherOut() async throws {
      let show = try await Show(hertz: 240)
      let painter = FramePainter(width: 64, height: 36, limit: 32)
      try await show.show(painter.frame(.gray(0)))
      try await show.waitUntilSettled()
      let before = show.view.presentedFrames
      // The test's own pauses are longer than a frame where the machine is busy: four come at once each time.
      for index in 0..<40 {
        let time = MonotonicTime.now + 20_000_000
        for part in 0..<4 {
          guard let frame = try? painter.frame(.gray((index * 4 + part) % 200)) else { continue }
          show.player.show(frame, at: time + Int64(part) * 4_000_000)
        }
        try await show.stage.play(milliseconds: 8)
      }
      #expect(show.view.presentedFrames > before + 5)
      try await show.waitUntilSettled()
      try await show.end()
    }

    @Test func framesThatAreAnsweredArePresented() async throws {
      let show = try await Show(hertz: 240)
      try await run(show, count: 30)
      try await show.waitUntilSettled()
      let counts = show.view.frameCounts
      #expect(counts.accepted == 30 && counts.failed == 0)
      #expect(counts.presented == show.compositor.counts.presented)
      #expect(counts.presented > 0)
      try await show.end()
    }

    @Test func withoutThePresentationProtocolTheFrameCallbackCounts() async throws {
      let show = try await Show(.standard.without("wp_presentation"), hertz: 240)
      try await run(show, count: 20)
      try await show.waitUntilSettled()
      let counts = show.view.frameCounts
      #expect(counts.accepted == 20 && counts.failed == 0 && counts.presented > 0)
      #expect(show.compositor.counts.presented == 0)
      try await show.end()
    }

    @Test func whereFeedbackStaysSilentTheFrameCallbackCounts() async throws {
      let show = try await Show(.standard.with { $0.feedback = .withheld }, hertz: 240)
      try await run(show, count: 20)
      try await show.waitUntilSettled()
      let counts = show.view.frameCounts
      #expect(counts.accepted == 20 && counts.failed == 0 && counts.presented > 0)
      try await show.end()
    }

    @Test func discardedFramesAreFailedOrSuperseded() async throws {
      let show = try await Show(.standard.with { $0.feedback = .discarded }, hertz: 240)
      try await run(show, count: 20)
      try await show.waitUntilSettled()
      let counts = show.view.frameCounts
      #expect(counts.accepted == 20 && counts.presented == 0)
      // The last one was replaced by nothing.
      #expect(counts.failed >= 1)
      try await show.end()
    }

    @Test func feedbackMayComeInAnyOrder() async throws {
      let show = try await Show(.standard.with { $0.feedback = .withheld }, hertz: nil)
      let painter = FramePainter(width: 64, height: 36)
      let start = MonotonicTime.now
      for index in 0..<3 {
        try await show.show(painter.frame(.gray(index * 50)))
        show.compositor.vblank()
        try await show.stage.play(milliseconds: 5)
      }
      // On a busy machine the view's patience with a silent compositor may be over by now.
      let open = show.view.framesInFlight
      #expect(open == 3 || .now - start >= FateTracker.patience)
      show.compositor.answerFeedback(reversed: true)
      try await show.waitUntilSettled()
      #expect(show.view.presentedFrames == 3)
      try await show.end()
    }

    @Test func feedbackAfterTheCloseStillCounts() async throws {
      let show = try await Show(.standard.with { $0.feedback = .withheld }, hertz: nil)
      try await show.show(FramePainter(width: 64, height: 36).frame(.white))
      show.compositor.vblank()
      show.view.player = nil
      #expect(show.view.framesInFlight == 1)
      show.compositor.answerFeedback()
      try await show.waitUntilSettled()
      #expect(show.view.presentedFrames == 1 && show.view.failedFrames == 0)
      try await show.end()
    }

    @Test func aCloseSettlesWhatNobodyAnswers() async throws {
      let show = try await Show(.standard.with { $0.feedback = .withheld }, hertz: nil)
      let painter = FramePainter(width: 64, height: 36)
      try await show.show(painter.frame(.white))
      // Not due for an hour: drained by the close.
      try show.player.show(painter.frame(.white), at: .now + 3_600_000_000_000)
      show.view.player = nil
      try await show.waitUntilSettled()
      let counts = show.view.frameCounts
      #expect(counts.accepted == 2 && counts.failed == 2)
      try await show.end()
    }

    @Test func aRepaintCountsAsNothing() async throws {
      let show = try await Show()
      try await show.show(FramePainter(width: 64, height: 36).quarters())
      try await show.waitUntilSettled()
      show.compositor.resizeWindows(width: 128, height: 72)
      try await show.stage.wait(for: "the larger picture") { show.stage.video?.buffer?.width == 128 }
      try await show.stage.play(milliseconds: 30)
      #expect(show.view.frameCounts.accepted == 1 && show.view.presentedFrames == 1)
      try await show.end()
    }
  }
}
