import KiteCore
import KiteFFmpeg
import KiteSystem
import TestMedia
import Testing

extension SourceTests {
  /// Lines that began before the keyframe that a seek comes to, in real containers.
  @Suite struct LookBackTests {
    /// Keeps the plane that it is given.
    private final class Holder: VideoRenderer {
      private let box = Locked<(any SubtitlePlane)?>(nil)
      var plane: (any SubtitlePlane)? { box.withLock { $0 } }
      let lead: Int64 = 0
      func present(_ frame: consuming VideoFrame, at target: MonotonicTime) {}
      func setSubtitles(_ plane: (any SubtitlePlane)?) { box.withLock { $0 = plane } }
      func discardPending() {}
      func setActive(_ isActive: Bool) {}
      func close() {}
    }

    /// The line is shown from 1.5 to 3.5 s; the keyframe before the place of the seek is at 3 s.
    @Test(.timeLimit(.minutes(5)), arguments: TestClip.filmsWithText + TestClip.filmsWithPictures)
    func aLineThatBeganBeforeTheKeyframeIsThere(clip: TestClip) async throws {
      let playing = Playing()
      let holder = Holder()
      playing.player.attach(holder)
      try await playing.player.open(MediaLocation(clip.path()))
      let track = try #require(playing.player.tracks.first { $0.kind == .subtitle })
      // All of the film is read ahead at once: of a choice made at 3.2 s nothing is known of before.
      playing.player.selectSubtitleTrack(nil)
      playing.player.seek(to: MediaTime(seconds: 3.2))
      #expect(await playing.waits { !$0.isSeeking && $0.status == .paused && $0.subtitleTrackID == nil })
      playing.player.selectSubtitleTrack(track.id)
      #expect(await eventually { holder.plane?.span(at: MediaTime(seconds: 3.2)).isEmpty == false })
      #expect(holder.plane?.span(at: MediaTime(seconds: 1.4)).isEmpty == true)
      #expect(playing.player.state.subtitleError == nil)
      playing.player.close()
    }
  }
}
