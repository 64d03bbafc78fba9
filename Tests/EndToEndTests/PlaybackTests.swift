import Foundation
import TestDisplay
import TestMedia
import Testing

extension EndToEnd {
  /// Playing from begin to end.
  @Suite(.needs(.weston), .compositor(.weston, 640, 400)) struct WestonPlayback {
    @Test func tenSecondsOfFramesAreAllAccountedFor() async throws {
      let session = try #require(CompositorSession.current)
      let player = try PlayerProcess(["--stats", try TestClip.tenSeconds.path()], in: session)
      #expect(await player.ending() == .exited(0))
      let ledger = try #require(player.ledger, "\(player.process.output)\(player.process.errors)")
      #expect(ledger.accepted > 0)
      #expect(ledger.presented > 0)
      #expect(ledger.failed == 0, "\(ledger)")
      #expect(ledger.presented + ledger.superseded + ledger.failed + ledger.inFlight == ledger.accepted)
      #expect(player.statistic("decoder")?.hasPrefix("300 decoded, ") == true, "\(player.process.output)")
    }

    /// A subsurface that is first shown after its parent's last commit isn't drawn until something else changes: no
    /// screenshot here, which would be such a change.
    @Test func aPictureIsShownThoughNothingElseChanges() async throws {
      let session = try #require(CompositorSession.current)
      let player = try PlayerProcess(["--stats", try TestClip.oneFramePerSecond.path()], in: session)
      #expect(await player.ending() == .exited(0))
      let ledger = try #require(player.ledger)
      #expect(ledger.presented == 3, "\(ledger)")
    }

    @Test func aScreenshotIsTheFrameAtThatPosition() async throws {
      let session = try #require(CompositorSession.current)
      let clip = TestClip.oneFramePerSecond
      let place = try TestPlace()
      defer { withExtendedLifetime(place) {} }
      let file = place.folder.appending(path: "shot.png")
      let player = try PlayerProcess(["--screenshot-at", "1.1", file.path, try clip.path()], in: session)
      #expect(await player.ending() == .exited(0))
      #expect(player.process.errors == "")
      let picture = try ReferencePicture(png: file)
      #expect(picture.meanError(against: try .frame(1, of: clip.url())) <= 1)
      #expect(picture.meanError(against: try .frame(0, of: clip.url())) > 1)
    }

    @Test func filesFollowEachOtherAndThoseThatAreMissingAreNamed() async throws {
      let session = try #require(CompositorSession.current)
      let player = try PlayerProcess(
        [
          "--stats", "--no-audio", try TestClip.oneFramePerSecond.path(), "/nonexistent.mp4",
          try TestClip.h264360p.path(),
        ], in: session)
      #expect(await player.ending() == .exited(1))
      #expect(player.errorLines.count == 1, "\(player.process.errors)")
      #expect(player.process.errors.contains("/nonexistent.mp4"))
      let frames = try FrameHashes.of(TestClip.h264360p.url()).count + 3
      #expect(
        player.statistic("decoder")?.hasPrefix("\(frames) decoded, ") == true, "\(player.process.output)")
    }

    @Test func playingBeginsWhereItIsToldTo() async throws {
      let session = try #require(CompositorSession.current)
      let clip = TestClip.searchedH264
      let place = try TestPlace()
      defer { withExtendedLifetime(place) {} }
      let file = place.folder.appending(path: "shot.png")
      let player = try PlayerProcess(
        ["--start", "18.99", "--speed", "0.5", "--screenshot-at", "18.99", file.path, try clip.path()],
        in: session)
      #expect(await player.ending() == .exited(0))
      #expect(player.process.errors == "")
      // 474 is shown from 18.96 to 19 s.
      let picture = try ReferencePicture(png: file)
      #expect(picture.meanError(against: try .frame(474, of: clip.url())) <= 1)
      #expect(picture.meanError(against: try .frame(473, of: clip.url())) > 0.5)
    }

    @Test(arguments: PictureCase.shapes) func aScreenshotIsUprightInSquarePixels(_ still: StillClip)
      async throws
    {
      let session = try #require(CompositorSession.current)
      let place = try TestPlace()
      defer { withExtendedLifetime(place) {} }
      let file = place.folder.appending(path: "shot.png")
      let player = try PlayerProcess(["--screenshot-at", "0", file.path, try still.clip.path()], in: session)
      let deadline = ContinuousClock.now + .seconds(30)
      while ContinuousClock.now < deadline, !FileManager.default.fileExists(atPath: file.path) {
        try await Task.sleep(for: .milliseconds(20))
      }
      // It ends when the file is written: both are the main thread's work.
      #expect(await player.quit() == .exited(0))
      #expect(player.process.errors == "")
      let error = try ReferencePicture(png: file).meanError(against: .frame(0, of: still.clip.url()))
      #expect(error <= 2, "\(still) is \(error) levels off in the mean")
    }
  }

  /// Sway's headless output never answers the presentation feedback.
  @Suite(.needs(.sway), .compositor(.sway, 640, 400)) struct SwayPlayback {
    @Test func withoutFeedbackFramesAreAllAccountedForToo() async throws {
      let session = try #require(CompositorSession.current)
      let player = try PlayerProcess(["--stats", try TestClip.h264360p.path()], in: session)
      #expect(await player.ending() == .exited(0))
      let ledger = try #require(player.ledger, "\(player.process.output)\(player.process.errors)")
      #expect(ledger.presented > 0)
      #expect(ledger.failed == 0, "\(ledger)")
      #expect(ledger.presented + ledger.superseded + ledger.failed + ledger.inFlight == ledger.accepted)
    }
  }

  /// The compositor goes away.
  @Suite(.needs(.weston)) struct LostCompositor {
    @Test(arguments: [SIGTERM, SIGKILL])
    func theEndOfTheCompositorIsOneClearError(_ signal: Int32) async throws {
      let session = try await CompositorSession.start(.weston, width: 640, height: 400)
      let player = try PlayerProcess([StillClip().clip.path()], in: session)
      _ = try await ShownPicture.settled(of: player, in: session)
      try #require(session.compositorID > 0)
      kill(session.compositorID, signal)
      #expect(await player.ending() == .exited(4))
      #expect(player.errorLines.count == 1, "\(player.process.errors)")
      await session.end()
    }
  }
}
