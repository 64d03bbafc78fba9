import KiteSystem
import Testing

@testable import KiteCore

@Suite struct OpeningTests {
  @Test func openReturnsWithTheFirstFrameShown() async throws {
    let backend = FakeBackend()
    let renderer = FakeRenderer()
    let player = KitePlayer(backend: backend)
    player.attach(renderer)
    try await player.open("film")
    #expect(player.status == .paused)
    #expect(renderer.times == [.zero])
    #expect(player.tracks.map(\.kind) == [.video])
  }

  @Test func openThrowsWhatTheStateSays() async {
    let player = KitePlayer(backend: FakeBackend())
    let error = await #expect(throws: MediaError.self) { try await player.open("nothing") }
    #expect(error?.kind == .notFound)
    #expect(player.status == .failed)
    #expect(player.error == error)
    #expect(player.position == .zero)
    player.play()
    #expect(player.status == .failed)
    player.close()
    #expect(player.status == .idle)
    #expect(player.error == nil)
  }

  @Test func statusGoesFromOpeningToPaused() {
    let simulation = Simulation(.video(count: 10))
    let log = StateLog(simulation.player)
    simulation.open()
    #expect(log.statuses == [.idle, .opening, .paused])
    log.check()
  }

  @Test func statusGoesFromOpeningToPlayingWhenToldTo() {
    let simulation = Simulation(.video(count: 10))
    let log = StateLog(simulation.player)
    simulation.open(playsWhenReady: true)
    #expect(log.statuses == [.idle, .opening, .playing])
  }

  @Test(arguments: [[true], [true, false], [true, false, true]])
  func playAndPauseDuringTheOpeningAreHonoured(calls: [Bool]) {
    let gate = Gate()
    var media = FakeMedia.video(count: 10)
    media.openGate = gate
    let simulation = Simulation(media)
    simulation.player.startOpening("film")
    #expect(simulation.player.status == .opening)
    for isPlay in calls { isPlay ? simulation.player.play() : simulation.player.pause() }
    #expect(simulation.player.status == .opening)
    gate.open()
    simulation.rest()
    #expect(simulation.player.status == (calls.last == true ? .playing : .paused))
  }

  @Test func theClockStartsWithTheFirstFrameNotWithTheOpening() {
    var media = FakeMedia.video(count: 10)
    media.pictures[0].cost = 3_000_000_000
    let simulation = Simulation(media)
    simulation.open(playsWhenReady: true)
    #expect(simulation.player.status == .opening)
    simulation.pass(until: { simulation.player.status == .ended })
    #expect(simulation.renderer.shown.count == 10)
    #expect(simulation.renderer.shown.allSatisfy { $0.time == $0.target })
    #expect(simulation.player.droppedFrames == 0)
  }

  @Test func closingDuringTheOpeningCancelsIt() async {
    let gate = Gate()
    var media = FakeMedia.video(count: 10)
    media.openGate = gate
    let backend = FakeBackend(media)
    let player = KitePlayer(backend: backend)
    let opening = Task { () -> MediaError? in
      do throws(MediaError) {
        try await player.open("film")
        return nil
      } catch {
        return error
      }
    }
    #expect(await eventually { player.status == .opening })
    player.close()
    #expect(player.status == .idle)
    #expect(await opening.value?.kind == .cancelled)
  }

  @Test func openingAnotherCancelsTheFormer() async throws {
    let gate = Gate()
    var slow = FakeMedia.video(count: 10)
    slow.openGate = gate
    let backend = FakeBackend()
    backend["slow"] = slow
    let player = KitePlayer(backend: backend)
    let former = Task { () -> MediaError? in
      do throws(MediaError) {
        try await player.open("slow")
        return nil
      } catch {
        return error
      }
    }
    #expect(await eventually { player.status == .opening })
    try await player.open("film")
    #expect(player.status == .paused)
    #expect(await former.value?.kind == .cancelled)
    #expect(player.status == .paused)
    player.close()
    #expect(await eventually { backend.counts.living == 0 })
  }

  @Test func cancellingTheTaskCloses() async {
    let gate = Gate()
    var media = FakeMedia.video(count: 10)
    media.openGate = gate
    let player = KitePlayer(backend: FakeBackend(media))
    let opening = Task { try await player.open("film") }
    #expect(await eventually { player.status == .opening })
    opening.cancel()
    let result = await opening.result
    #expect(throws: MediaError.self) { try result.get() }
    #expect(player.status == .idle)
  }

  @Test func neitherVideoNorAudioIsAnError() async {
    var media = FakeMedia()
    media.hasVideo = false
    let player = KitePlayer(backend: FakeBackend(media))
    let error = await #expect(throws: MediaError.self) { try await player.open("film") }
    #expect(error?.kind == .noStreams)
  }

  @Test func withoutADecoderAndWithoutSoundOpeningFails() async {
    var media = FakeMedia.video(count: 3)
    media.decoderError = MediaError(kind: .unsupported, subject: "vp11", reason: "has no decoder")
    let player = KitePlayer(backend: FakeBackend(media))
    let error = await #expect(throws: MediaError.self) { try await player.open("film") }
    #expect(error == media.decoderError)
  }

  @Test func nothingDecodableIsAnError() async {
    let media = FakeMedia.video(count: 3) { $1.isDamaged = true }
    let player = KitePlayer(backend: FakeBackend(media))
    let error = await #expect(throws: MediaError.self) { try await player.open("film") }
    #expect(error?.kind == .decoding)
  }

  @Test func aSourceThatBreaksBeforeTheFirstFrameFails() async {
    var media = FakeMedia()
    media.readError = MediaError(kind: .unreadable, subject: "film", reason: "broke")
    let player = KitePlayer(backend: FakeBackend(media))
    let error = await #expect(throws: MediaError.self) { try await player.open("film") }
    #expect(error == media.readError)
  }
}
