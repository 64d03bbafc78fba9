import Foundation
import TestDisplay
import TestMedia
import Testing

/// Runs a script of `view-probe` to its end, and leaves it on the screen.
private func probe(_ words: [String]) async throws -> PlayerProcess {
  let session = try #require(CompositorSession.current)
  let path = URL(filePath: PlayerProcess.path).deletingLastPathComponent().appending(path: "view-probe").path
  let program = PlayerProcess(process: try session.launch([path] + words))
  let deadline = ContinuousClock.now + .seconds(60)
  while !program.process.output.hasSuffix("done\n") {
    try #require(
      program.process.poll() == nil && ContinuousClock.now < deadline,
      "\(words): \(program.process.output)\(program.process.errors)")
    try await Task.sleep(for: .milliseconds(20))
  }
  return program
}

/// Waits until the screen shows the pictures at all of `areas`; nil for none within a while.
private func waitForPictures(
  _ reference: ReferencePicture, at areas: [ReferencePicture.Area], meanError limit: Double = 2
) async throws -> [Double] {
  let session = try #require(CompositorSession.current)
  var errors: [Double] = []
  for _ in 0..<40 {
    let screen = try await session.screenshot()
    errors = areas.map { screen.cropped(to: $0).meanError(against: reference) }
    if errors.allSatisfy({ $0 <= limit }) { return errors }
    try await Task.sleep(for: .milliseconds(100))
  }
  return errors
}

/// A paused player's picture is there when its window is mapped, at any position, and nothing of the player changes.
private func showPaused(at seconds: Int, centred: Bool) async throws {
  let clip = TestClip.tenSeconds
  let program = try await probe(["paused", "\(seconds)", try clip.path()])
  let expected = "paused at \(seconds * 1000) ms"
  let steps = program.process.output.split(separator: "\n").filter { $0.contains("shown") }
  #expect(steps == ["shown: \(expected)", "shown again: \(expected)"], "\(program.process.output)")
  if centred {
    let reference = try ReferencePicture.frame(seconds * 30, of: clip.url())
    let next = try ReferencePicture.frame(seconds * 30 + 1, of: clip.url())
    let area = ReferencePicture.Area(x: 290, y: 170, width: 320, height: 180)
    // Sharp edges of colour come out a little differently with each way to scale chroma; the next frame is further off.
    let errors = try await waitForPictures(reference, at: [area], meanError: 4)
    let others = try await waitForPictures(next, at: [area], meanError: 255)
    #expect(errors[0] <= 4 && errors[0] + 1 < others[0], "\(errors), \(others)")
  }
  await program.process.kill()
}

extension EndToEnd {
  /// The lifecycle's rules in sway, which puts floating windows into the middle.
  @Suite(.needs(.sway), .compositor(.sway, 900, 520, sway: ["for_window [app_id=\".*\"] floating enable"]))
  struct SwayLifecycle {
    @Test(arguments: [0, 5]) func mappedWhilePausedThePictureIsThere(seconds: Int) async throws {
      try await showPaused(at: seconds, centred: true)
    }

    @Test func aViewMovesBetweenWindows() async throws {
      let still = StillClip()
      let program = try await probe(["move", try still.clip.path()])
      let reference = try ReferencePicture.frame(0, of: still.clip.url())
      let errors = try await waitForPictures(reference, at: [.init(x: 290, y: 170, width: 320, height: 180)])
      #expect(errors.allSatisfy { $0 <= 2 }, "\(errors)")
      await program.process.kill()
    }

    @Test(arguments: ["factories", "failing", "close"]) func faultsAreOutlived(script: String) async throws {
      let still = StillClip()
      let program = try await probe([script, try still.clip.path()])
      let reference = try ReferencePicture.frame(0, of: still.clip.url())
      let errors = try await waitForPictures(reference, at: [.init(x: 290, y: 170, width: 320, height: 180)])
      #expect(errors.allSatisfy { $0 <= 2 }, "\(errors)")
      await program.process.kill()
    }
  }

  /// Sway beside itself: each window has half of the output, so that both are seen.
  @Suite(.needs(.sway), .compositor(.sway, 640, 180)) struct SwaySharing {
    @Test func theLoserKeepsItsPictureAndComesBack() async throws {
      let still = StillClip()
      let program = try await probe(["two", try still.clip.path()])
      let reference = try ReferencePicture.frame(0, of: still.clip.url())
      let areas = [0, 320].map { ReferencePicture.Area(x: $0, y: 0, width: 320, height: 180) }
      let errors = try await waitForPictures(reference, at: areas)
      #expect(errors.allSatisfy { $0 <= 2 }, "\(errors)")
      await program.process.kill()
    }
  }

  /// The same rules in Weston, as far as the program itself sees them.
  @Suite(.needs(.weston), .compositor(.weston, 900, 520)) struct WestonLifecycle {
    @Test(arguments: [0, 5]) func mappedWhilePausedThePictureIsThere(seconds: Int) async throws {
      try await showPaused(at: seconds, centred: false)
    }

    @Test(arguments: ["two", "move", "factories", "failing", "close"]) func viewsComeGoAndFail(script: String)
      async throws
    {
      let program = try await probe([script, try StillClip().clip.path()])
      let session = try #require(CompositorSession.current)
      let screen = try await session.screenshot()
      #expect(screen.frameArea() != nil)
      await program.process.kill()
    }
  }
}
