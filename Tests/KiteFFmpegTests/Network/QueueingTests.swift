import KiteCore
import KiteFFmpeg
import KiteSystem
import TestMedia
import Testing

extension SourceTests {
  /// Items one after the other, with FFmpeg's demuxers and decoders: the joins of `QueueTests` on a manual clock, with real
  /// codecs.
  @Suite struct QueueingTests {
    /// Other codecs, sizes and rates; all have pictures, and none is heard.
    @Test(.timeLimit(.minutes(5))) func codecFollowsCodec() async throws {
      let playing = Playing()
      let clips = [TestClip.h264360p, .vp9, .h264TransportStream, .mpeg2]
      for clip in clips { playing.player.enqueue(MediaLocation(try clip.path())) }
      playing.player.play()
      #expect(await playing.waitsForEnd())
      let frames = try clips.map { try FrameHashes.of($0.url()).count }.reduce(0, +)
      // In a queue as alone: none is lost at the joins, though a busy machine skips some anywhere.
      let statistics = playing.player.statistics
      #expect(statistics.decodedFrames + statistics.skippedPackets > frames - 40)
      #expect(statistics.decodedFrames <= frames)
      #expect(
        playing.course == [.idle, .opening, .paused, .playing, .ended]
          || playing.course == [.idle, .opening, .playing, .ended])
      #expect(playing.player.state.item?.name == (try TestClip.mpeg2.path()))
      #expect(playing.player.state.itemError == nil)
    }

    @Test(.timeLimit(.minutes(5))) func whatIsNoFilmIsPassedOver() async throws {
      let playing = Playing()
      playing.player.enqueue(MediaLocation(try TestClip.h264360p.path()))
      playing.player.enqueue(MediaLocation(try TestClip.prose.path()))
      playing.player.enqueue("/nonexistent.mp4")
      playing.player.enqueue(MediaLocation(try TestClip.vp9.path()))
      playing.player.play()
      #expect(await playing.waitsForEnd())
      #expect(playing.player.status == .ended)
      #expect(playing.player.state.item?.name == (try TestClip.vp9.path()))
      #expect(playing.player.state.itemError?.kind == .notFound)
    }
  }
}
