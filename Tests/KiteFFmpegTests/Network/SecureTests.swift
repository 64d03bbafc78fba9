import Foundation
import KiteCore
import KiteFFmpeg
import TestMedia
import TestServer
import Testing

extension SourceTests {
  /// Films over TLS.
  @Suite struct SecureTests {
    private func server() throws -> SecureServer {
      let server = try SecureServer()
      server.plain["/film.mkv"] = Answer(try TestClip.served.data())
      return server
    }

    @Test(.timeLimit(.minutes(5))) func aServerWhoseAuthorityIsTrustedPlays() async throws {
      let server = try server()
      let playing = Playing { $0.certificateFile = server.certificate }
      try await playing.player.open(MediaLocation(server.address("/film.mkv")), playsWhenReady: true)
      #expect(await playing.waitsForEnd())
      #expect(playing.course == [.idle, .opening, .playing, .ended])
      #expect(playing.isPlayed(75))
    }

    @Test(.timeLimit(.minutes(5))) func oneThatNobodyVouchesForIsOneReadableError() async throws {
      let server = try server()
      let playing = Playing()
      let error = await #expect(throws: MediaError.self) {
        try await playing.player.open(MediaLocation(server.address("/film.mkv")))
      }
      #expect(error?.kind == .notTrusted, "\(error.debugDescription)")
      #expect(error?.subject == server.address("/film.mkv"))
      #expect(error?.reason.contains("certificate") == true && error?.advice.isEmpty == false)
      #expect(playing.statuses == [.idle, .opening, .failed])
    }

    @Test(.timeLimit(.minutes(5))) func aCertificateForAnotherNameIsNotTrusted() async throws {
      let server = try server()
      let playing = Playing { $0.certificateFile = server.certificate }
      let error = await #expect(throws: MediaError.self) {
        try await playing.player.open(MediaLocation(server.address("/film.mkv", host: "localhost")))
      }
      #expect(error?.kind == .notTrusted, "\(error.debugDescription)")
    }

    @Test(.timeLimit(.minutes(5))) func whoDoesNotAskForProofGetsNone() async throws {
      let server = try server()
      let playing = Playing { $0.verifiesCertificates = false }
      try await playing.player.open(MediaLocation(server.address("/film.mkv")))
      #expect(playing.player.status == .paused)
    }
  }

  /// MPEG-DASH.
  @Suite struct DashTests {
    private func server() throws -> WebServer {
      let server = try WebServer()
      let manifest = try TestClip.dash.url()
      server["/dash/film.mpd"] = Answer(try TestClip.dash.data())
      for name in TestClip.dashFiles {
        let file = manifest.deletingLastPathComponent().appending(path: name)
        server["/dash/\(name)"] = Answer(try Data(contentsOf: file))
      }
      return server
    }

    @Test(.timeLimit(.minutes(5))) func aFilmPlaysAndCanBeSearched() async throws {
      let server = try server()
      let playing = Playing()
      try await playing.player.open(MediaLocation(server.address("/dash/film.mpd")), playsWhenReady: true)
      #expect(await playing.waitsForEnd())
      #expect(playing.course == [.idle, .opening, .playing, .ended], "\(playing.player.state)")
      #expect(playing.isPlayed(75))
      #expect(playing.player.duration == MediaTime(seconds: 3))
      playing.player.seek(to: MediaTime(seconds: 1.5))
      #expect(await playing.waits { $0.status == .paused && !$0.isSeeking })
      #expect(playing.player.currentFrame()?.properties.pts == MediaTime(seconds: 1.48))
    }

    @Test(.timeLimit(.minutes(5))) func withoutItsFilesItIsATypedError() async throws {
      let server = try server()
      for name in TestClip.dashFiles { server["/dash/\(name)"] = nil }
      let playing = Playing()
      await #expect(throws: MediaError.self) {
        try await playing.player.open(MediaLocation(server.address("/dash/film.mpd")))
      }
      #expect(playing.statuses == [.idle, .opening, .failed])
    }

    @Test(.timeLimit(.minutes(5))) func closeReturnsWhileItsFilesHang() async throws {
      let server = try server()
      let gate = ServerGate()
      for name in TestClip.dashFiles { server["/dash/\(name)"]?.headerGate = gate }
      let playing = Playing()
      playing.player.startOpening(MediaLocation(server.address("/dash/film.mpd")))
      #expect(await eventually { server.requests.count >= 2 })
      playing.player.close()
      #expect(playing.player.status == .idle)
      #expect(await eventually { server.connections == 0 || server.connections == 1 })
      #expect(!gate.isOpen)
    }
  }
}
