import KiteSystem
import Testing

@testable import KiteCore

/// A film that begins again at its end: nothing stands still, nothing is silent, nothing is missing.
@Suite struct LoopTests {
  private static func looping(_ media: FakeMedia, play: Bool = true) -> Simulation {
    let simulation = Simulation(media)
    simulation.player.isLooping = true
    simulation.open(playsWhenReady: play)
    return simulation
  }

  @Test(arguments: [0, 3], [1, 10])
  func picturesGoOnInTheirPace(decoderDelay: Int, keyframes: Int) {
    var media = FakeMedia.video(count: 25, keyframes: keyframes)
    media.decoderDelay = decoderDelay
    let simulation = Self.looping(media)
    let log = StateLog(simulation.player)
    let start = simulation.time.now
    simulation.pass(.ms(3790))
    let shown = simulation.renderer.shown
    #expect(shown.count == 95)
    #expect(shown.map(\.target) == (0..<95).map { start + 40_000_000 * Int64($0) })
    #expect(simulation.renderer.times == (0..<95).map { .ms(Int64($0 % 25) * 40) })
    #expect(Set(log.statuses).isSubset(of: [.playing]))
    #expect(simulation.player.position == .ms(790))
    #expect(simulation.player.droppedFrames == 0)
    #expect(simulation.player.state.isLooping)
  }

  @Test(arguments: [1000, 990] as [Int64]) func soundGoesOnWithoutAGap(length: Int64) throws {
    let simulation = Self.looping(FakeMedia.video(count: 25).withSound(to: length))
    simulation.pass(.ms(4300))
    let heard = try #require(simulation.sinks.sink).heard
    #expect(heard.count > 4000)
    for (one, next) in zip(heard, heard.dropFirst()) {
      #expect(abs((next.time - one.time) - 1_000_000) < 1000)
      #expect(next.media == one.media + 1 || next.media == 0 && one.media == length - 1 || length < 1000)
    }
    // Each thing is heard when its picture is shown, in every lap.
    for (shown, pts) in zip(simulation.renderer.shown, simulation.renderer.times).dropFirst(30) {
      let sound = heard.min { abs($0.time - shown.target) < abs($1.time - shown.target) }
      guard let sound, abs(sound.time - shown.target) < 1_000_000, sound.media > 0 else { continue }
      #expect(abs(sound.media - pts.nanoseconds / 1_000_000) <= 15)
    }
  }

  @Test func soundAloneGoesOnToo() throws {
    var media = FakeMedia().withSound(to: 1000)
    media.hasVideo = false
    media.duration = .ms(1000)
    let simulation = Self.looping(media)
    simulation.pass(.ms(3300))
    #expect(simulation.player.status == .playing)
    let heard = try #require(simulation.sinks.sink).heard.map(\.media)
    #expect(heard.count > 3000)
    #expect(heard == (0..<Int64(heard.count)).map { $0 % 1000 })
  }

  @Test func itCanBeSaidWhenAllIsReadAlready() {
    let simulation = Simulation(.video(count: 25))
    simulation.open(playsWhenReady: true)
    simulation.pass(.ms(990))
    simulation.player.isLooping = true
    simulation.rest()
    let log = StateLog(simulation.player)
    simulation.pass(.ms(1000))
    #expect(simulation.renderer.times.suffix(2) == [.ms(920), .ms(960)])
    #expect(simulation.renderer.shown.count == 50)
    #expect(Set(log.statuses) == [.playing])
    #expect(simulation.player.droppedFrames == 0)
  }

  @Test func switchedOffItEnds() {
    let simulation = Self.looping(.video(count: 500))
    simulation.pass(.ms(21_000))
    simulation.player.isLooping = false
    #expect(simulation.pass { simulation.player.status == .ended })
    #expect(simulation.player.position == .ms(20_000))
    #expect(simulation.renderer.shown.count == 1000)
    // From there it starts as ever.
    simulation.player.play()
    simulation.pass(.ms(50))
    #expect(simulation.renderer.times.last == .ms(40))
  }

  @Test func aSeekInALaterLapGoesWhereItSays() {
    let simulation = Self.looping(.video(count: 25, keyframes: 5))
    simulation.pass(.ms(2300))
    simulation.player.seek(to: .ms(800))
    simulation.rest()
    #expect(simulation.renderer.times.last == .ms(800))
    #expect(simulation.player.position == .ms(800))
    simulation.player.seek(by: .ms(-400))
    simulation.rest()
    #expect(simulation.renderer.times.last == .ms(400))
    simulation.pass(.ms(1000))
    #expect(simulation.player.status == .playing)
    #expect(simulation.renderer.times.last == .ms(400))
  }

  @Test func stepsGoBackWithinTheLap() {
    let simulation = Self.looping(.video(count: 25))
    simulation.pass(.ms(1410))
    simulation.player.step(by: -1)
    simulation.rest()
    #expect(simulation.renderer.times.last == .ms(360))
    simulation.player.step(by: 1)
    simulation.rest()
    #expect(simulation.renderer.times.last == .ms(400))
  }

  @Test func whatCannotGoBackEnds() {
    var media = FakeMedia.video(count: 25)
    media.isSeekable = false
    let simulation = Self.looping(media)
    #expect(simulation.pass { simulation.player.status == .ended })
    var liar = FakeMedia.video(count: 25)
    liar.refusesSeeks = true
    let other = Self.looping(liar)
    #expect(other.pass { other.player.status == .ended })
    #expect(other.renderer.shown.count == 25)
  }

  @Test func aFilmOfOnePictureLoopsToo() {
    let simulation = Self.looping(.video(count: 1))
    simulation.pass(.ms(1000))
    #expect(simulation.player.status == .playing)
    #expect(simulation.renderer.shown.count >= 25)
    simulation.player.close()
  }

  @Test func theLineIsMediaTimeLessTheLapsStart() {
    var laps = Laps()
    #expect(laps.media(at: .ms(700)) == .ms(700))
    #expect(laps.begin(after: .ms(1000)) == .ms(1000))
    #expect(laps.begin(after: .ms(1000)) == .ms(2000))
    #expect(laps.media(at: .ms(999)) == .ms(999))
    #expect(laps.media(at: .ms(1000)) == .zero)
    #expect(laps.media(at: .ms(2500)) == .ms(500))
    laps.reset()
    #expect(laps.media(at: .ms(2500)) == .ms(2500))
  }
}
