import Foundation
import KiteCore
import KiteFFmpeg
import TestMedia
import TestServer
import Testing

extension SourceTests {
  /// Films from a server that behaves well, badly, or not at all.
  @Suite struct WebTests {
    private func server(_ clip: TestClip = .served, _ change: (inout Answer) -> Void = { _ in }) throws
      -> WebServer
    {
      let server = try WebServer()
      var answer = Answer(try clip.data())
      change(&answer)
      server["/film"] = answer
      return server
    }

    private func plays(_ server: WebServer, _ playing: Playing, path: String = "/film") async throws {
      try await playing.player.open(MediaLocation(server.address(path)), playsWhenReady: true)
      #expect(await playing.waitsForEnd())
    }

    @Test func aFilmPlaysAndCanBeSearched() async throws {
      let server = try server()
      let playing = Playing()
      try await plays(server, playing)
      #expect(playing.course == [.idle, .opening, .playing, .ended])
      #expect(playing.isPlayed(75))
      #expect(playing.player.state.isSeekable)
      playing.player.seek(to: MediaTime(seconds: 1.5))
      #expect(await playing.waits { $0.status == .paused && !$0.isSeeking })
      #expect(playing.player.currentFrame()?.properties.pts == MediaTime(seconds: 1.48))
    }

    @Test func withoutRangesItPlaysFromTheStart() async throws {
      let server = try server(.servedMP4) { $0.givesRanges = false }
      let playing = Playing()
      try await plays(server, playing)
      #expect(playing.course == [.idle, .opening, .playing, .ended])
      #expect(playing.isPlayed(75))
      #expect(!playing.player.state.isSeekable)
    }

    @Test func withoutRangesAnIndexAtTheEndIsOfNoUse() async throws {
      let server = try server(.servedIndexLast) { $0.givesRanges = false }
      let error = await #expect(throws: MediaError.self) { try await plays(server, Playing()) }
      #expect(error?.kind == .unreadable)
      #expect(error?.reason.contains("index") == true, "\(error.debugDescription)")
    }

    @Test func aSlowServerIsWaitedFor() async throws {
      let server = try server { $0.speed = 50_000 }
      let playing = Playing()
      playing.player.rate = 2
      try await plays(server, playing)
      #expect(playing.isPlayed(75))
      let statuses = playing.statuses
      #expect(statuses.prefix(3) == [.idle, .opening, .playing])
      #expect(statuses.contains(.buffering))
      #expect(statuses.suffix(2) == [.playing, .ended])
      for (one, next) in zip(statuses, statuses.dropFirst()) where one == .buffering {
        #expect(next == .playing)
      }
    }

    @Test func aServerThatStallsIsWaitedFor() async throws {
      let gate = ServerGate()
      let server = try server { $0.stall = (100_000, gate) }
      let playing = Playing()
      try await playing.player.open(MediaLocation(server.address("/film")), playsWhenReady: true)
      #expect(await playing.waits { $0.status == .buffering })
      gate.open()
      #expect(await playing.waitsForEnd())
      #expect(playing.statuses.contains(.buffering) && playing.course == [.idle, .opening, .playing, .ended])
      #expect(playing.isPlayed(75))
    }

    @Test func aServerThatStallsForGoodIsAnError() async throws {
      let server = try server { $0.stall = (100_000, ServerGate()) }
      let playing = Playing { $0.networkTimeout = MediaTime(seconds: 4) }
      try await plays(server, playing)
      #expect(playing.player.error?.kind == .timedOut)
      #expect(playing.player.error?.subject == server.address("/film"))
      #expect(playing.statuses.last == .failed)
      // What had come is played.
      #expect(playing.player.statistics.decodedFrames > 10)
    }

    @Test func aServerThatNeverAnswersIsAnError() async throws {
      let server = try server { $0.headerGate = ServerGate() }
      let playing = Playing { $0.networkTimeout = MediaTime(seconds: 0.6) }
      let error = await #expect(throws: MediaError.self) { try await plays(server, playing) }
      #expect(error?.kind == .timedOut)
      #expect(playing.statuses == [.idle, .opening, .failed])
    }

    @Test(arguments: [true, false])
    func closeReturnsWhileTheServerHangs(inOpen: Bool) async throws {
      let gate = ServerGate()
      let server = try server { answer in
        if inOpen { answer.headerGate = gate } else { answer.stall = (100_000, gate) }
      }
      let playing = Playing()
      playing.player.startOpening(MediaLocation(server.address("/film")), playsWhenReady: true)
      if inOpen {
        #expect(await eventually { server.requests.count == 1 })
      } else {
        #expect(await playing.waits { $0.status == .buffering })
      }
      playing.player.close()
      #expect(playing.player.status == .idle)
      // The thread is out of the call too, and has let the connection go.
      #expect(await eventually { server.connections <= 1 })
      #expect(!gate.isOpen)
    }

    @Test func aSeekLeavesAStalledReadBehind() async throws {
      let gate = ServerGate()
      let server = try server(.servedMP4) { $0.stall = (100_000, gate) }
      let playing = Playing()
      try await playing.player.open(MediaLocation(server.address("/film")), playsWhenReady: true)
      #expect(await playing.waits { $0.status == .buffering })
      playing.player.pause()
      playing.player.seek(to: MediaTime(seconds: 0.4))
      #expect(await playing.waits { $0.status == .paused && !$0.isSeeking })
      #expect(playing.player.currentFrame()?.properties.pts == MediaTime(seconds: 0.4))
      #expect(!gate.isOpen)
      gate.open()
      playing.player.play()
      #expect(await playing.waitsForEnd())
      #expect(playing.player.error == nil)
    }

    @Test func aConnectionThatBreaksIsMadeAgain() async throws {
      let server = try server { $0.breaks = (40_000, times: 3) }
      let playing = Playing { $0.reconnectPause = MediaTime(seconds: 0.01) }
      try await plays(server, playing)
      #expect(playing.player.error == nil)
      #expect(playing.statuses.last == .ended)
      #expect(playing.isPlayed(75))
      #expect(server.requests.count > 3)
      #expect(server.requests.contains { $0.start >= 40_000 })
    }

    @Test func aConnectionThatBreaksWithoutRangesIsAnError() async throws {
      let server = try server {
        $0.givesRanges = false
        $0.breaks = (100_000, times: 1000)
      }
      let playing = Playing()
      try await plays(server, playing)
      #expect(playing.player.error?.kind == .unreachable)
      #expect(playing.player.statistics.decodedFrames > 10)
    }

    @Test func aServerThatBreaksAgainAndAgainIsAnError() async throws {
      let server = try server { $0.breaks = (0, times: 1000) }
      let playing = Playing {
        $0.networkTimeout = MediaTime(seconds: 1)
        $0.reconnectPause = MediaTime(seconds: 0.1)
      }
      let error = await #expect(throws: MediaError.self) { try await plays(server, playing) }
      #expect(error?.kind == .unreachable || error?.kind == .timedOut)
      #expect(server.requests.count > 1)
    }

    @Test(arguments: [
      (404, MediaError.Kind.notFound), (403, .notPermitted), (401, .notPermitted), (410, .unreadable),
      (500, .unreachable), (503, .unreachable),
    ])
    func aServersNoIsATypedError(status: Int, kind: MediaError.Kind) async throws {
      let server = try WebServer()
      server["/film"] = .status(status)
      let playing = Playing()
      let error = await #expect(throws: MediaError.self) { try await plays(server, playing) }
      #expect(error?.kind == kind, "\(error.debugDescription)")
      #expect(error?.advice.isEmpty == false)
      #expect(playing.statuses == [.idle, .opening, .failed])
    }

    @Test func redirectionsAreFollowedButNotForEver() async throws {
      let server = try server()
      server["/moved"] = .status(302, headers: ["Location: /film"])
      server["/round"] = .status(302, headers: ["Location: /about"])
      server["/about"] = .status(302, headers: ["Location: /round"])
      let playing = Playing()
      try await plays(server, playing, path: "/moved")
      #expect(playing.course == [.idle, .opening, .playing, .ended])
      let error = await #expect(throws: MediaError.self) { try await plays(server, playing, path: "/round") }
      #expect(error?.kind == .unreachable)
      #expect(server.requests.count < 40)
    }

    @Test func nobodyAtTheAddressIsATypedError() async throws {
      let address = try server().address("/film")
      // The server has ended: nobody listens at its port, at once or soon.
      var error: MediaError?
      _ = await eventually {
        do throws(MediaError) {
          _ = try FFmpegBackend().open(MediaLocation(address), interrupt: InterruptFlag())
          return false
        } catch let failure {
          error = failure
          return failure.kind == .unreachable
        }
      }
      #expect(error?.kind == .unreachable)
    }
  }
}
