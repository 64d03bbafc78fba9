import KiteCore
import KiteOutput
import KiteSystem
import KiteViews
import TestCompositor
import Testing
import ViewStage
import WaylandToolkit

extension ViewTests {
  /// Nothing grows, however often things come and go.
  @MainActor struct EnduranceTests {
    /// What the process may use more after a run than before. Suites of other targets run beside this one in the same
    /// process, and come and go; what leaks in each of hundreds of rounds is more than they hold.
    private static let slack = 64_000_000
    private static let spareDescriptors = 32

    private func expectFlat(_ before: ProcessFacts, _ after: ProcessFacts, spare: Int = 0) {
      #expect(
        after.descriptors <= before.descriptors + spare + Self.spareDescriptors,
        "\(before) \(after) \(ProcessFacts.openFiles)")
      #expect(after.threads <= before.threads + 16, "threads \(before) \(after)")
      if ProcessFacts.keepsFreedMemory { print("Memory isn't compared: a sanitizer keeps what was freed.") }
      #expect(
        ProcessFacts.keepsFreedMemory || after.memory - before.memory <= Self.slack,
        "memory \(before) \(after)")
    }

    /// Waits until the threads and descriptors of ended renderers are gone.
    private func settled(_ stage: Stage, like before: ProcessFacts?) async throws -> ProcessFacts {
      guard let before else {
        try await stage.play(milliseconds: 200)
        return .now
      }
      let deadline = MonotonicTime.now + 10_000_000_000
      while .now < deadline {
        let now = ProcessFacts.now
        if now.descriptors <= before.descriptors, now.threads <= before.threads { return now }
        try await stage.play(milliseconds: 10)
      }
      return .now
    }

    @Test func aThousandTimesMappedAndUnmapped() async throws {
      let show = try await Show(.standard.with { $0.recordLimit = 100 }, hertz: 1000)
      let painter = FramePainter(width: 64, height: 36)
      try await show.show(painter.quarters())
      var before: ProcessFacts?
      for round in 0..<1000 {
        show.window.hide()
        try await show.stage.wait(for: "the end of the window") { show.compositor.windows.isEmpty }
        try show.window.show()
        try await show.stage.wait(for: "the picture of round \(round)", detail: show.detail()) {
          show.stage.video?.isMapped == true
        }
        // The first rounds fill caches that stay.
        if round == 100 { before = try await settled(show.stage, like: nil) }
      }
      show.window.hide()
      try await show.stage.wait(for: "the end of the window") { show.compositor.windows.isEmpty }
      try show.window.show()
      try await show.wait(forPixel: 10, 5, toBe: .pureRed)
      let start = try #require(before)
      expectFlat(start, try await settled(show.stage, like: start))
      // The black pixel, and at most the buffers of one renderer. The renderer before may still be ending.
      try await show.stage.wait(for: "the end of the old buffers", detail: "\(show.compositor.counts)") {
        let counts = show.compositor.counts
        return counts.buffersMade - counts.buffersDestroyed <= 4 && counts.poolsMade == counts.poolsDestroyed
      }
      #expect(show.compositor.sentErrors == [])
      #expect(show.compositor.violations == [])
      #expect(show.player.rendererCount == 1)
      try await show.waitUntilSettled()
      try await show.end()
    }

    @Test func aHundredViewsComeAndGo() async throws {
      let stage = try Stage(.standard.with { $0.recordLimit = 100 }, hertz: 1000)
      var before: ProcessFacts?
      for round in 0..<100 {
        let (window, view) = try await stage.openView(factory: StandardRendererFactory())
        let player = FakePlayer()
        view.player = player
        try player.show(FramePainter(width: 64, height: 36).frame(.white))
        try await stage.wait(for: "the picture of round \(round)") { stage.video?.isMapped == true }
        view.close()
        window.close()
        try await stage.wait(for: "the end of round \(round)") { stage.compositor.windows.isEmpty }
        if round == 20 { before = try await settled(stage, like: nil) }
      }
      let start = try #require(before)
      expectFlat(start, try await settled(stage, like: start))
      // The last window is gone before the surfaces behind it are: each is a request of its own.
      try await stage.wait(for: "the end of every surface and buffer", detail: "\(stage.compositor.counts)") {
        let counts = stage.compositor.counts
        return counts.surfacesMade == counts.surfacesDestroyed
          && counts.buffersMade == counts.buffersDestroyed
      }
      stage.connection.close()
    }

    @Test func aLongPlayKeepsItsBuffers() async throws {
      let show = try await Show(.standard.with { $0.recordLimit = 100 }, hertz: 1000)
      let painter = FramePainter(width: 64, height: 36, limit: 8)
      var before: ProcessFacts?
      for index in 0..<1000 {
        if let frame = try? painter.frame(.gray(index % 250)) { show.player.show(frame) }
        try await show.stage.play(milliseconds: 1)
        if index == 200 { before = try await settled(show.stage, like: nil) }
        let counts = show.view.frameCounts
        #expect(counts.inFlight >= 0 && counts.inFlight <= 16)
      }
      try await show.waitUntilSettled()
      let start = try #require(before)
      // The pool and the renderer may still make memories, up to their limits.
      expectFlat(start, try await settled(show.stage, like: start), spare: 8)
      #expect(show.compositor.counts.buffersMade <= 6)
      #expect(show.compositor.violations == [])
      try await show.end()
    }
  }
}
