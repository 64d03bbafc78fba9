import KiteSystem
import Testing

@testable import KiteCore

/// 25 pictures a second, a keyframe each second, and sound in packets of 20 ms.
@Suite struct SoundTests {
  private func film(_ seconds: Int = 10) -> FakeMedia {
    .video(count: seconds * 25, keyframes: 25).withSound(to: Int64(seconds) * 1000)
  }

  /// By how much each picture that was shown after `start` comes later than its sound, in ms; only those with sound.
  private func offsets(_ simulation: Simulation, after start: MonotonicTime = .distantPast) -> [Double] {
    let heard = Dictionary(
      grouping: simulation.sinks.sink?.heard.filter { $0.time >= start } ?? [], by: \.media)
    return simulation.renderer.shown.filter { $0.target >= start }.compactMap { shown in
      let media = shown.pts.nanoseconds / 1_000_000
      guard media > 0 else { return nil }
      // What was heard twice, as after a seek back: the time that is nearer.
      return heard[media]?.map { Double(shown.target - $0.time) / 1e6 }
        .min { abs($0) < abs($1) }
    }
  }

  private func expectEvenPictures(_ simulation: Simulation, from first: Int = 1) {
    let shown = simulation.renderer.shown.dropFirst(first)
    for (a, b) in zip(shown, shown.dropFirst()) {
      #expect(abs((b.target - a.target) - (b.pts - a.pts).nanoseconds) <= 500_000, "\(a) \(b)")
    }
    #expect(simulation.player.statistics.droppedFrames == 0)
  }

  @Test func pictureAndSoundGoTogether() throws {
    let simulation = Simulation(film())
    simulation.open(playsWhenReady: true)
    simulation.pass(.ms(5000))
    let offsets = offsets(simulation)
    #expect(offsets.count > 100)
    #expect(offsets.allSatisfy { abs($0) <= 1 })
    expectEvenPictures(simulation)
    // Nothing of the sound is lost at the start.
    let heard = try #require(simulation.sinks.sink).heard
    #expect(heard.map(\.media) == Array(0..<Int64(heard.count)))
    simulation.pass { simulation.player.status == .ended }
    #expect(simulation.player.position == .ms(10_000))
    #expect(try #require(simulation.sinks.sink).heard.count >= 9_950)
  }

  @Test func aPauseLosesNothingAndMovesNothing() throws {
    let simulation = Simulation(film())
    simulation.open(playsWhenReady: true)
    for pause in [1, 333, 5000] as [Int64] {
      simulation.pass(.ms(777))
      simulation.player.pause()
      let position = simulation.player.position
      simulation.pass(.ms(pause))
      #expect(simulation.player.position == position)
      simulation.player.play()
    }
    let start = simulation.time.now
    simulation.pass(.ms(2000))
    #expect(offsets(simulation, after: start + 100_000_000).allSatisfy { abs($0) <= 1 })
    let heard = try #require(simulation.sinks.sink).heard.map(\.media)
    #expect(heard == Array(0..<Int64(heard.count)))
    #expect(simulation.player.statistics.droppedFrames == 0)
  }

  @Test(arguments: [0, 1010, 2400, 9000] as [Int64], [true, false])
  func aSeekGoesOnInStep(target: Int64, playing: Bool) throws {
    let simulation = Simulation(film())
    simulation.open(playsWhenReady: playing)
    simulation.pass(.ms(1500))
    simulation.player.seek(to: .ms(target))
    simulation.pass(.ms(100))
    if !playing { simulation.player.play() }
    let start = simulation.time.now
    simulation.pass(.ms(900))
    let late = offsets(simulation, after: start + 100_000_000)
    #expect(late.count > 10)
    #expect(late.allSatisfy { abs($0) <= 1 })
    // It begins at the target, not before.
    let heard = try #require(simulation.sinks.sink).heard
    let after = heard.suffix(500).map(\.media)
    #expect(after == Array(after[0]..<(after[0] + 500)))
    #expect(heard.contains { $0.media == max(1, target) && $0.time > start - 100_000_000 })
    #expect(simulation.player.statistics.droppedFrames == 0)
  }

  @Test func withoutASinkThePictureGoesOnAtOnce() {
    let simulation = Simulation(film(2))
    simulation.sinks.setPresent(false)
    let start = simulation.time.now
    simulation.open(playsWhenReady: true)
    simulation.pass(.ms(1000))
    #expect(simulation.renderer.shown.map { $0.target - start } == (0...25).map { $0 * 40_000_000 })
    simulation.pass { simulation.player.status == .ended }
    #expect(simulation.time.now - start == 2_000_000_000)
  }

  @Test func aSinkThatTakesNothingIsWaitedForOnce() {
    let simulation = Simulation(film(4))
    simulation.open()
    simulation.sinks.sink?.setStuck(true)
    simulation.player.play()
    let start = simulation.time.now
    simulation.pass(.ms(SoundSync.patience / 1_000_000))
    #expect(simulation.player.position == .zero)
    simulation.pass(.ms(500))
    #expect(simulation.player.position == .ms(500))
    simulation.player.pause()
    simulation.player.play()
    simulation.pass(.ms(500))
    #expect(simulation.player.position == .ms(1000))
    _ = start
    expectEvenPictures(simulation, from: 30)
  }

  @Test func aSinkThatGoesAwayCostsNoPictureAndComesBackInStep() throws {
    let simulation = Simulation(film(10))
    simulation.open(playsWhenReady: true)
    simulation.pass(.ms(2000))
    simulation.sinks.sink?.setPresent(false)
    simulation.pass(.ms(2000))
    simulation.sinks.sink?.setPresent(true)
    let back = simulation.time.now
    simulation.pass(.ms(2000))
    let heard = try #require(simulation.sinks.sink).heard
    #expect((heard.last?.media ?? 0) > 5500)
    // What was missed is not made up for.
    #expect(!heard.contains { $0.media > 2500 && $0.media < 3900 })
    #expect(offsets(simulation, after: back + 300_000_000).allSatisfy { abs($0) <= 2 })
    #expect(simulation.player.statistics.droppedFrames == 0)
    let shown = simulation.renderer.shown
    for (a, b) in zip(shown.dropFirst(), shown.dropFirst(2)) {
      #expect(b.target - a.target >= 0 && b.target - a.target < 110_000_000)
    }
  }

  @Test(arguments: [(2000, 6000), (0, 3000), (500, 501), (5990, 6000)] as [(Int64, Int64)])
  func soundThatStartsLateOrEndsEarlyCostsNoPicture(from: Int64, to: Int64) throws {
    let simulation = Simulation(FakeMedia.video(count: 150, keyframes: 25).withSound(from: from, to: to))
    simulation.open(playsWhenReady: true)
    #expect(simulation.pass { simulation.player.status == .ended })
    expectEvenPictures(simulation)
    #expect(simulation.renderer.shown.count == 150)
    #expect(offsets(simulation).allSatisfy { abs($0) <= 1 })
  }

  @Test func aGapInTheSoundIsSilence() throws {
    var media = film(4)
    media.sounds.removeAll { $0.pts >= .ms(1000) && $0.pts < .ms(2000) }
    let simulation = Simulation(media)
    simulation.open(playsWhenReady: true)
    simulation.pass(.ms(3500))
    #expect(offsets(simulation).allSatisfy { abs($0) <= 1 })
    expectEvenPictures(simulation)
    #expect(try #require(simulation.sinks.sink).heard.contains { $0.media == 2000 })
  }

  @Test(arguments: [0.999, 1.001, 1.003]) func driftIsFollowed(speed: Double) {
    let simulation = Simulation(film(60))
    simulation.open()
    simulation.sinks.sink?.setSpeed(speed)
    simulation.player.play()
    simulation.pass(.ms(55_000))
    let offsets = offsets(simulation)
    #expect(offsets.count > 1000)
    #expect(offsets.allSatisfy { abs($0) <= 5 }, "\(offsets.map { abs($0) }.max() ?? 0)")
    #expect(simulation.player.statistics.droppedFrames == 0)
  }

  @Test(arguments: [0.25, 0.5, 2, 4]) func atAnotherSpeedTheyGoTogether(rate: Double) {
    let simulation = Simulation(film(30))
    simulation.player.rate = rate
    simulation.open(playsWhenReady: true)
    simulation.pass(.ms(1500))
    let before = offsets(simulation)
    #expect(before.count > 5)
    #expect(before.allSatisfy { abs($0) <= 2 })
    simulation.player.rate = 1
    #expect(simulation.player.state.rate == 1)
    simulation.pass(.ms(500))
    let start = simulation.time.now
    simulation.pass(.ms(1500))
    let after = offsets(simulation, after: start)
    #expect(after.count > 20)
    #expect(after.allSatisfy { abs($0) <= 5 }, "\(after)")
  }

  @Test func soundAlonePlaysToItsEnd() throws {
    for duration in [MediaTime.ms(3000), nil] {
      var media = FakeMedia().withSound(to: 3000)
      media.hasVideo = false
      media.duration = duration
      let simulation = Simulation(media)
      simulation.open(playsWhenReady: true)
      #expect(simulation.player.status == .playing)
      simulation.pass(.ms(1000))
      simulation.player.seek(to: .ms(2000))
      simulation.pass(.ms(500))
      #expect(abs(simulation.player.position.seconds - 2.5) < 0.1)
      #expect(simulation.pass { simulation.player.status == .ended })
      #expect(simulation.player.position == .ms(3000))
      let heard = try #require(simulation.sinks.sink).heard.map(\.media)
      #expect(heard.suffix(900) == ArraySlice(Array(2100..<3000)))
    }
  }

  @Test func volumeFollowsTheEarAndMutes() throws {
    let simulation = Simulation(film(2))
    simulation.player.volume = 0.5
    simulation.open()
    let sink = try #require(simulation.sinks.sink)
    #expect(sink.volumes == [0.125])
    simulation.player.isMuted = true
    simulation.player.volume = 7
    simulation.player.volume = .nan
    simulation.player.isMuted = false
    #expect(sink.volumes == [0.125, 0, 0, 1])
    #expect(simulation.player.state.volume == 1)
    #expect(!simulation.player.state.isMuted)
    simulation.player.close()
    #expect(simulation.player.state.volume == 1)
    simulation.player.volume = 0.25
    #expect(simulation.player.state.volume == 0.25)
  }

  @Test func anotherTrackIsHeardFromThePositionOn() async throws {
    let media = film(10).withSound(to: 10_000, trackID: 2)
    let simulation = Simulation(media)
    simulation.open(playsWhenReady: true)
    simulation.pass(.ms(2000))
    #expect(simulation.player.state.audioTrackID == 1)
    let first = try #require(simulation.sinks.sink)
    simulation.player.selectAudioTrack(2)
    simulation.pass(.ms(1000))
    #expect(simulation.player.state.audioTrackID == 2)
    #expect(simulation.sinks.count == 2)
    #expect(first.isClosed)
    #expect((simulation.sinks.sink?.heard.first?.media ?? 0) >= 1900)
    #expect(offsets(simulation, after: simulation.time.now - 500_000_000).allSatisfy { abs($0) <= 1 })
    simulation.player.selectAudioTrack(nil)
    simulation.pass(.ms(1000))
    #expect(simulation.player.state.audioTrackID == nil)
    #expect(simulation.player.status == .playing)
    simulation.player.selectAudioTrack(7)
    simulation.pass { simulation.player.status == .ended }
    #expect(simulation.player.state.audioTrackID == nil)
  }

  @Test func damagedSoundIsAWarning() {
    var media = film(2)
    for index in 20..<30 { media.sounds[index].isDamaged = true }
    let simulation = Simulation(media)
    simulation.open(playsWhenReady: true)
    simulation.pass { simulation.player.status == .ended }
    #expect(simulation.player.statistics.decodeWarnings == 10)
    expectEvenPictures(simulation)
  }

  @Test func closingEndsTheSinkAndTheDecoder() async {
    let simulation = Simulation(film())
    simulation.open(playsWhenReady: true)
    simulation.pass(.ms(500))
    simulation.player.close()
    #expect(await eventually { simulation.sinks.sink?.isClosed == true })
    #expect(await eventually { simulation.backend.counts.living == 0 })
  }
}
