import Foundation
import KiteCore
import KiteFFmpeg
import TestMedia
import TestServer
import Testing

extension SourceTests {
  /// HTTP live streaming.
  @Suite struct PlaylistTests {
    /// Two films of 3 s, one behind the other; the second one's times begin anew.
    private func server(_ change: (inout Answer) -> Void = { _ in }) throws -> WebServer {
      let server = try WebServer()
      let list = """
        #EXTM3U
        #EXT-X-VERSION:3
        #EXT-X-TARGETDURATION:3
        #EXT-X-MEDIA-SEQUENCE:0
        #EXTINF:3.0,
        one.ts
        #EXT-X-DISCONTINUITY
        #EXTINF:3.0,
        two.ts
        #EXT-X-ENDLIST

        """
      server["/lists/film.m3u8"] = Answer(Data(list.utf8))
      var segment = Answer(try TestClip.servedTS.data())
      server["/lists/one.ts"] = segment
      change(&segment)
      server["/lists/two.ts"] = segment
      server["/film"] = .status(302, headers: ["Location: /lists/film.m3u8"])
      return server
    }

    @Test func aDiscontinuityIsPlayedThrough() async throws {
      let server = try server()
      let playing = Playing()
      try await playing.player.open(
        MediaLocation(server.address("/lists/film.m3u8")), playsWhenReady: true)
      #expect(await playing.waitsForEnd())
      #expect(playing.course == [.idle, .opening, .playing, .ended])
      #expect(playing.isPlayed(150))
    }

    @Test func segmentsAreFoundBesideAListThatWasMoved() async throws {
      let server = try server()
      let playing = Playing()
      try await playing.player.open(MediaLocation(server.address("/film")))
      #expect(playing.player.state.duration == MediaTime(seconds: 6))
    }

    @Test func aSegmentThatStallsIsWaitedFor() async throws {
      let gate = ServerGate()
      let server = try server { $0.stall = (50_000, gate) }
      let playing = Playing()
      try await playing.player.open(
        MediaLocation(server.address("/lists/film.m3u8")), playsWhenReady: true)
      #expect(await playing.waits { $0.status == .buffering })
      gate.open()
      #expect(await playing.waitsForEnd())
      #expect(playing.statuses.contains(.buffering) && playing.course == [.idle, .opening, .playing, .ended])
      #expect(playing.isPlayed(150))
    }

    @Test func closeReturnsWhileASegmentHangs() async throws {
      let gate = ServerGate()
      let server = try server { $0.stall = (50_000, gate) }
      let playing = Playing()
      try await playing.player.open(
        MediaLocation(server.address("/lists/film.m3u8")), playsWhenReady: true)
      #expect(await playing.waits { $0.status == .buffering })
      playing.player.close()
      #expect(playing.player.status == .idle)
      #expect(await eventually { server.connections <= 1 })
      #expect(!gate.isOpen)
    }

    @Test func aListReachesNoFileOfThisMachine() async throws {
      let server = try server()
      let path = try TestClip.servedTS.path()
      let list = """
        #EXTM3U
        #EXT-X-TARGETDURATION:3
        #EXTINF:3.0,
        file://\(path)
        #EXT-X-ENDLIST

        """
      server["/evil.m3u8"] = Answer(Data(list.utf8))
      let playing = Playing()
      await #expect(throws: MediaError.self) {
        try await playing.player.open(MediaLocation(server.address("/evil.m3u8")))
      }
    }
  }
}
