import KiteCore
import KiteFFmpeg
import KiteSystem
import TestMedia
import Testing

extension SourceTests {
  /// Films that loop, with FFmpeg's demuxers and decoders: the joins of `LoopTests` on a manual clock, with real codecs.
  @Suite struct LoopingTests {
    /// Notes the times of what it is to show.
    private final class Recorder: VideoRenderer {
      private let box = Locked<[MediaTime]>([])
      var shown: [MediaTime] { box.withLock { $0 } }
      let lead: Int64 = 0
      func present(_ frame: consuming VideoFrame, at target: MonotonicTime) {
        let pts = frame.properties.pts
        box.withLock { $0.append(pts) }
      }
      func discardPending() {}
      func setActive(_ isActive: Bool) {}
      func close() {}
    }

    @Test(
      .timeLimit(.minutes(5)), arguments: [TestClip.h264360p, .served, .h264TransportStream, .vp9WithSound])
    func lapFollowsLap(clip: TestClip) async throws {
      let playing = Playing()
      let recorder = Recorder()
      playing.player.attach(recorder)
      playing.player.isLooping = true
      try await playing.player.open(MediaLocation(clip.path()), playsWhenReady: true)
      let frames = try FrameHashes.of(clip.url()).count
      #expect(await eventually { playing.player.statistics.decodedFrames >= frames * 3 + 5 })
      playing.player.close()
      #expect(playing.statuses.contains(.playing) && !playing.statuses.contains(.ended))
      #expect(playing.player.statistics.decodeWarnings == 0)
      // A busy machine may drop some; the times are those of the laps all the same, each from its beginning.
      let shown = recorder.shown
      let laps = zip(shown, shown.dropFirst()).count { $1 < $0 }
      for (one, next) in zip(shown, shown.dropFirst()) { #expect(next != one) }
      #expect(shown.allSatisfy { $0 >= .zero && $0 < MediaTime(seconds: 3.1) })
      #expect(laps >= 2)
    }

    /// Pictures in another order than they are coded, and a keyframe only every 4 s.
    @Test(.timeLimit(.minutes(5)), arguments: [TestClip.searchedH264, .searchedTransportStream])
    func partFollowsPart(clip: TestClip) async throws {
      let playing = Playing()
      let recorder = Recorder()
      playing.player.attach(recorder)
      try await playing.player.open(MediaLocation(clip.path()))
      let range = MediaTime(seconds: 5.5)..<MediaTime(seconds: 6.5)
      playing.player.seek(to: range.lowerBound)
      playing.player.loopRange = range
      playing.player.play()
      #expect(
        await eventually { zip(recorder.shown, recorder.shown.dropFirst()).count { $1 < $0 } >= 3 })
      playing.player.close()
      #expect(playing.statuses.contains(.playing) && !playing.statuses.contains(.ended))
      #expect(playing.player.statistics.decodeWarnings == 0)
      // At the opening another one was shown, and the picture at its beginning began before it.
      let shown = recorder.shown.dropFirst(3)
      #expect(
        shown.allSatisfy { range.contains($0) || $0 > MediaTime(seconds: 5.45) && $0 < range.upperBound })
    }
  }
}
