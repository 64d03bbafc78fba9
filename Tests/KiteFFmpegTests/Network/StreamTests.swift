import KiteCore
import KiteFFmpeg
import TestMedia
import TestServer
import Testing

extension SourceTests {
  /// A camera's stream over RTSP.
  @Suite struct StreamTests {
    private func server(_ change: (inout StreamServer.Stream) -> Void = { _ in }) throws -> StreamServer {
      var stream = StreamServer.Stream(try TestClip.camera.data())
      change(&stream)
      return try StreamServer(stream)
    }

    @Test(.timeLimit(.minutes(5))) func aStreamPlaysToItsEnd() async throws {
      let server = try server()
      let playing = Playing()
      playing.player.rate = 1
      try await playing.player.open(MediaLocation(server.address), playsWhenReady: true)
      #expect(server.requests.contains("PLAY"))
      #expect(await playing.waitsForEnd())
      #expect(playing.course == [.idle, .opening, .playing, .ended], "\(playing.player.state)")
      #expect(playing.isPlayed(75))
      #expect(playing.player.videoSize == PixelSize(width: 320, height: 180))
    }

    @Test(.timeLimit(.minutes(5))) func oneThatStallsIsWaitedFor() async throws {
      let gate = ServerGate()
      let server = try server { $0.stall = (60, gate) }
      let playing = Playing()
      playing.player.rate = 1
      try await playing.player.open(MediaLocation(server.address), playsWhenReady: true)
      #expect(await playing.waits { $0.status == .buffering })
      gate.open()
      #expect(await playing.waitsForEnd())
      #expect(playing.course == [.idle, .opening, .playing, .ended])
    }

    @Test(.timeLimit(.minutes(5)), arguments: [0, 60]) func closeReturnsWhileItHangs(from picture: Int)
      async throws
    {
      let gate = ServerGate()
      let server = try server { $0.stall = (picture, gate) }
      let playing = Playing()
      playing.player.startOpening(MediaLocation(server.address), playsWhenReady: true)
      if picture == 0 {
        #expect(await eventually { server.requests.contains("PLAY") })
      } else {
        #expect(await playing.waits { $0.status == .buffering })
      }
      playing.player.close()
      #expect(playing.player.status == .idle)
      // The thread is out of the call too, and has let the connection go.
      #expect(await eventually { server.connections == 0 })
      #expect(!gate.isOpen)
    }

    @Test(.timeLimit(.minutes(5))) func aCamerasNoIsATypedError() async throws {
      let server = try server { $0.status = 404 }
      let playing = Playing()
      let error = await #expect(throws: MediaError.self) {
        try await playing.player.open(MediaLocation(server.address))
      }
      #expect(error?.kind == .notFound, "\(error.debugDescription)")
      #expect(error?.subject == server.address)
    }
  }
}
