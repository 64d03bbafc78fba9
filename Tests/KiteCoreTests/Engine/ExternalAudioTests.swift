import KiteSystem
import Testing

@testable import KiteCore

/// A film of 25 pictures a second with a keyframe each second, and sound in files of its own.
@Suite struct ExternalAudioTests {
  /// A file of sound from `start` to `end`, in milliseconds.
  private func sound(from start: Int64 = 0, to end: Int64) -> FakeMedia {
    var media = FakeMedia().withSound(from: start, to: end)
    media.hasVideo = false
    media.duration = .ms(end)
    return media
  }

  private func simulation(
    _ file: FakeMedia, film: FakeMedia = FakeMedia.video(count: 100, keyframes: 25).withSound(to: 4000)
  ) -> Simulation {
    let simulation = Simulation(film)
    simulation.backend["other"] = file
    return simulation
  }

  /// Milliseconds of media that were heard of the newest sink.
  private func heard(_ simulation: Simulation) -> [Int64] {
    simulation.sinks.sink?.heard.map(\.media) ?? []
  }

  @Test func itIsListedChosenAndHeardInStep() async throws {
    let simulation = simulation(sound(to: 4000))
    simulation.open()
    let track = try await simulation.player.addAudioFile("other")
    simulation.rest()
    #expect(track.isExternal && track.title == "other" && track.kind == .audio)
    #expect(simulation.player.tracks.map(\.id) == [0, 1, track.id])
    #expect(simulation.player.state.audioTrackID == track.id)
    #expect(simulation.sinks.count == 2)
    simulation.player.play()
    #expect(simulation.pass { simulation.player.status == .ended })
    #expect(simulation.player.position == .ms(4000))
    let heard = heard(simulation)
    #expect(heard.count >= 3950 && heard == Array(0..<Int64(heard.count)))
    #expect(simulation.player.statistics.droppedFrames == 0)
    #expect(simulation.renderer.shown.last?.pts == .ms(3960))
    // Back to the film's own.
    simulation.player.seek(to: .zero)
    simulation.player.selectAudioTrack(1)
    simulation.rest()
    #expect(simulation.player.state.audioTrackID == 1)
    simulation.player.selectAudioTrack(nil)
    simulation.rest()
    #expect(simulation.player.state.audioTrackID == nil)
    simulation.player.close()
    #expect(await eventually { simulation.backend.counts.living == 0 })
  }

  @Test func withoutBeingChosenItIsOnlyListed() async throws {
    let simulation = simulation(sound(to: 4000))
    simulation.open()
    let track = try await simulation.player.addAudioFile("other", selects: false)
    let second = try await simulation.player.addAudioFile("other", selects: false)
    #expect(track.id != second.id)
    #expect(simulation.player.state.audioTrackID == 1)
    simulation.player.play()
    simulation.pass(.ms(500))
    simulation.player.selectAudioTrack(second.id)
    simulation.pass(.ms(1000))
    #expect(simulation.player.state.audioTrackID == second.id)
    #expect((heard(simulation).last ?? 0) > 1400)
  }

  @Test(arguments: [2500, 1010, 0, 3990] as [Int64])
  func aSeekTakesItAlong(target: Int64) async throws {
    let simulation = simulation(sound(to: 4000))
    simulation.open()
    try await simulation.player.addAudioFile("other")
    simulation.player.play()
    simulation.pass(.ms(700))
    simulation.player.seek(to: .ms(target))
    let start = simulation.time.now
    simulation.pass { simulation.player.status == .ended }
    // From the target on to the end, each millisecond once; one at 0 can't be told from silence.
    let after = simulation.sinks.sink?.heard.filter { $0.time >= start + 20_000_000 }.map(\.media) ?? []
    #expect(after.filter { $0 > 0 } == Array(max(1, target)..<4000))
    #expect(simulation.renderer.shown.last?.pts == .ms(3960))
  }

  @Test func aFilmWithoutSoundGetsOne() async throws {
    let simulation = Simulation(FakeMedia.video(count: 100, keyframes: 25), isHeard: true)
    simulation.backend["other"] = sound(to: 4000)
    simulation.open()
    #expect(!simulation.player.state.hasAudio && simulation.sinks.count == 0)
    let track = try await simulation.player.addAudioFile("other")
    simulation.rest()
    #expect(simulation.player.state.hasAudio && simulation.player.state.audioTrackID == track.id)
    simulation.player.play()
    #expect(simulation.pass { simulation.player.status == .ended })
    #expect(heard(simulation).count >= 3950)
  }

  @Test(arguments: [(0, 2000), (1000, 3000)] as [(Int64, Int64)])
  func oneThatBeginsLateOrEndsEarlyCostsNoPicture(from: Int64, to: Int64) async throws {
    let simulation = simulation(sound(from: from, to: to))
    simulation.open()
    try await simulation.player.addAudioFile("other")
    let first = simulation.renderer.shown.count
    simulation.player.play()
    #expect(simulation.pass { simulation.player.status == .ended })
    #expect(simulation.player.position == .ms(4000))
    #expect(simulation.player.statistics.droppedFrames == 0)
    #expect(simulation.renderer.shown.count - first >= 98)
    #expect(Set(heard(simulation)).isSuperset(of: max(1, from)..<to))
  }

  /// Longer than what is read ahead of a sound: 4096 packets.
  @Test func oneThatIsLongerIsHeardToItsEnd() async throws {
    let simulation = simulation(sound(to: 120_000))
    simulation.open()
    let track = try await simulation.player.addAudioFile("other")
    #expect(simulation.player.duration == .ms(120_000))
    simulation.player.play()
    #expect(simulation.pass { simulation.player.status == .ended })
    #expect(simulation.player.position == .ms(120_000))
    let heard = heard(simulation)
    #expect(heard == Array(0..<Int64(heard.count)) && heard.count >= 119_900)
    #expect(simulation.renderer.shown.last?.pts == .ms(3960))
    // The film is as long as what is heard with it.
    simulation.player.seek(to: .zero)
    simulation.player.selectAudioTrack(1)
    simulation.rest()
    #expect(simulation.player.duration == .ms(4000))
    simulation.player.selectAudioTrack(track.id)
    simulation.rest()
    #expect(simulation.player.duration == .ms(120_000))
    simulation.player.seek(to: .ms(60_000))
    simulation.player.play()
    simulation.pass(.ms(2000))
    #expect((simulation.sinks.sink?.heard.last?.media ?? 0) > 61_500)
  }

  @Test func aLoopTakesItAlong() async throws {
    let simulation = simulation(sound(to: 4000))
    simulation.player.isLooping = true
    simulation.open()
    try await simulation.player.addAudioFile("other")
    simulation.player.play()
    simulation.pass(.ms(9000))
    let heard = heard(simulation)
    #expect(heard.count > 8900)
    #expect(heard == (0..<Int64(heard.count)).map { $0 % 4000 })
    #expect(simulation.player.statistics.droppedFrames == 0)
  }

  @Test func oneThatIsMissingOrHoldsNoSoundIsAnErrorAndTheFilmPlaysOn() async throws {
    let simulation = simulation(.video(count: 1))
    simulation.open(playsWhenReady: true)
    simulation.pass(.ms(500))
    await #expect(throws: MediaError.self) { try await simulation.player.addAudioFile("nowhere") }
    let error = await #expect(throws: MediaError.self) {
      try await simulation.player.addAudioFile("other")
    }
    #expect(error?.kind == .noStreams)
    simulation.pass(.ms(500))
    #expect(simulation.player.position > .ms(900) && simulation.player.status == .playing)
    #expect(simulation.player.state.audioTrackID == 1)
    #expect(simulation.player.tracks.count == 2)
    simulation.player.close()
    await #expect(throws: MediaError.self) { try await simulation.player.addAudioFile("other") }
  }

  @Test func oneThatBreaksIsAWarningAndTheFilmPlaysOn() async throws {
    var file = sound(to: 1500)
    file.readError = MediaError(kind: .unreadable, subject: "other", reason: "is torn")
    let simulation = simulation(file)
    simulation.open()
    try await simulation.player.addAudioFile("other")
    simulation.player.play()
    #expect(simulation.pass { simulation.player.status == .ended })
    #expect(simulation.player.statistics.lastWarning == file.readError)
    #expect(simulation.player.position == .ms(4000))
    #expect(simulation.renderer.shown.last?.pts == .ms(3960))
    #expect(Set(heard(simulation)).isSuperset(of: 1..<1500))
  }

  @Test func oneThatIsAddedWhileTheFilmIsBeingOpenedIsHeardFromTheStart() async throws {
    let gate = Gate()
    var film = FakeMedia.video(count: 100, keyframes: 25).withSound(to: 4000)
    film.openGate = gate
    let simulation = simulation(sound(to: 5000), film: film)
    simulation.player.startOpening("film", playsWhenReady: true)
    let track = try await simulation.player.addAudioFile("other")
    gate.open()
    simulation.rest()
    #expect(simulation.player.state.audioTrackID == track.id)
    #expect(simulation.player.duration == .ms(5000))
    #expect(simulation.pass { simulation.player.status == .ended })
    let heard = heard(simulation)
    #expect(heard == Array(0..<Int64(heard.count)) && heard.count >= 4950)
  }

  @Test func whatFollowsHasItsOwnSound() async throws {
    let simulation = simulation(sound(to: 4000))
    simulation.backend["next"] = FakeMedia.video(count: 50, keyframes: 25).withSound(to: 2000)
    simulation.open()
    try await simulation.player.addAudioFile("other")
    simulation.player.enqueue("next")
    simulation.player.play()
    simulation.pass { simulation.player.state.item?.name == "next" }
    simulation.rest()
    #expect(simulation.player.tracks.map(\.id) == [0, 1])
    #expect(simulation.player.state.audioTrackID == 1)
    #expect(simulation.pass { simulation.player.status == .ended })
    #expect(simulation.player.position == .ms(2000))
  }

  @Test func closingEndsItsReading() async throws {
    let gate = Gate()
    var file = sound(to: 4000)
    file.soundGates[.ms(1000)] = gate
    let simulation = simulation(file)
    simulation.open()
    try await simulation.player.addAudioFile("other")
    simulation.player.play()
    #expect(await eventually { simulation.backend.counts.waiting == 1 })
    simulation.player.close()
    #expect(await eventually { simulation.backend.counts.living == 0 })
    gate.open()
  }
}
