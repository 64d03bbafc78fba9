import KiteSystem
import Testing

@testable import KiteCore

@Suite struct DamageTests {
  @Test func damagedPacketsAreCountedAndPlaybackGoesOn() {
    let simulation = Simulation(.video(count: 50) { index, picture in picture.isDamaged = index % 5 == 1 })
    simulation.open(playsWhenReady: true)
    simulation.pass { simulation.player.status == .ended }
    #expect(simulation.player.statistics.decodeWarnings == 10)
    #expect(simulation.renderer.shown.count == 40)
    #expect(simulation.player.position == .ms(2000))
    expectNothingLost(simulation, waiting: 0)
  }

  @Test func afterDamageDecodingGoesOnAtTheNextKeyframe() {
    let simulation = Simulation(.video(count: 50, keyframes: 10) { $1.isDamaged = $0 == 13 })
    simulation.open(playsWhenReady: true)
    simulation.pass { simulation.player.status == .ended }
    let statistics = simulation.player.statistics
    #expect(simulation.renderer.times == (Array(0..<13) + Array(20..<50)).map { .ms($0 * 40) })
    #expect(statistics.decodeWarnings == 1 && statistics.skippedPackets == 6)
    #expect(statistics.lastWarning?.reason == "is damaged")
    #expect(simulation.player.error == nil)
  }

  @Test func withoutFurtherKeyframesDecodingGoesOnAtOnce() {
    let simulation = Simulation(.video(count: 50, keyframes: 1000) { $1.isDamaged = $0 == 13 })
    simulation.open(playsWhenReady: true)
    simulation.pass { simulation.player.status == .ended }
    #expect(simulation.renderer.shown.count == 49)
  }

  @Test func aDeviceThatIsRequiredAndBreaksEndsThePlaying() {
    let broken = MediaError(kind: .device, subject: "film", reason: "was unplugged")
    let simulation = Simulation(.video(count: 50, keyframes: 10) { $1.refusal = $0 >= 30 ? broken : nil })
    simulation.open(playsWhenReady: true)
    simulation.pass { simulation.player.status == .failed || simulation.player.status == .ended }
    #expect(simulation.player.status == .failed)
    #expect(simulation.player.error == broken)
    #expect(simulation.player.statistics.decodeWarnings == 0)
  }

  @Test func whereNothingCanBeDecodedTheErrorSaysWhatTheDecoderSaid() {
    let reason = MediaError(
      kind: .unsupported, subject: "film", reason: "decodes to pictures that can't be read")
    let simulation = Simulation(.video(count: 5) { $1.refusal = reason })
    simulation.open(playsWhenReady: true)
    simulation.pass { simulation.player.status == .failed || simulation.player.status == .ended }
    #expect(simulation.player.error == reason)
  }

  @Test func aSeekForgetsTheDamage() {
    let simulation = Simulation(.video(count: 50, keyframes: 10) { $1.isDamaged = $0 == 13 })
    simulation.open()
    simulation.player.seek(to: .ms(15 * 40))
    simulation.rest()
    // Nothing could be decoded between the damage and the keyframe behind it.
    #expect(simulation.renderer.times.last == .ms(12 * 40) || simulation.renderer.times.last == .ms(20 * 40))
    simulation.player.seek(to: .ms(35 * 40))
    simulation.rest()
    #expect(simulation.renderer.times.last == .ms(35 * 40))
  }

  @Test func whatWasReadBeforeTheSourceBrokeIsPlayedFirst() {
    var media = FakeMedia.video(count: 50)
    media.duration = .ms(60_000)
    media.hasAudio = true
    media.readError = MediaError(kind: .unreadable, subject: "film", reason: "broke")
    let simulation = Simulation(media)
    let log = StateLog(simulation.player)
    simulation.open(playsWhenReady: true)
    simulation.pass(.ms(1999))
    #expect(simulation.player.status == .playing)
    simulation.pass(.ms(1))
    #expect(simulation.player.status == .failed)
    #expect(simulation.player.error == media.readError)
    #expect(simulation.player.position == .ms(2000))
    #expect(simulation.renderer.shown.count == 50)
    log.check()
  }

  @Test func afterAFailureTheThreadsEndAndThePictureStays() async {
    var media = FakeMedia.video(count: 5)
    media.readError = MediaError(kind: .unreadable, subject: "film", reason: "broke")
    let simulation = Simulation(media)
    simulation.open(playsWhenReady: true)
    simulation.pass { simulation.player.status == .failed }
    #expect(await eventually { simulation.backend.counts.living == 0 })
    let other = FakeRenderer()
    simulation.player.attach(other)
    #expect(other.times == [.ms(160)])
  }

  @Test func framesWithoutTimesAreShownOneAfterTheOther() {
    let simulation = Simulation(
      .video(count: 50) { index, picture in
        picture.pts = nil
        picture.duration = .zero
      })
    simulation.open(playsWhenReady: true)
    let start = simulation.time.now
    simulation.pass { simulation.player.status == .ended }
    #expect(
      simulation.renderer.shown.map(\.target) == (0..<50).map { start + 40_000_000 * Int64($0) })
    #expect(simulation.player.droppedFrames == 0)
  }

  @Test func aStreamWhoseTimesStartAgainPlaysOn() {
    var media = FakeMedia.video(count: 100) { index, picture in
      if index >= 50 { picture.pts = .ms(Int64(index - 50) * 40) }
    }
    media.duration = nil
    let simulation = Simulation(media)
    simulation.open(playsWhenReady: true)
    let start = simulation.time.now
    simulation.pass { simulation.player.status == .ended }
    #expect(
      simulation.renderer.shown.map(\.target) == (0..<100).map { start + 40_000_000 * Int64($0) })
    #expect(simulation.player.position == .ms(2000))
  }

  @Test func aFrameWithAWrongTimeIsLeftOut() {
    let simulation = Simulation(
      .video(count: 1000) { index, picture in if index == 20 { picture.pts = .ms(30_000) } })
    simulation.open(playsWhenReady: true)
    let start = simulation.time.now
    simulation.pass { simulation.player.status == .ended }
    #expect(simulation.time.now - start == 40_000_000_000)
    #expect(simulation.renderer.shown.count == 999)
    #expect(simulation.player.droppedFrames == 1)
  }

  @Test func aChangeOfSizeIsASingleChangeOfState() {
    let large = PixelSize(width: 128, height: 72)
    let simulation = Simulation(
      .video(count: 10) { index, picture in if index >= 5 { picture.size = large } })
    let log = StateLog(simulation.player)
    simulation.open(playsWhenReady: true)
    simulation.pass { simulation.player.status == .ended }
    #expect(log.statuses == [.idle, .opening, .playing, .playing, .ended])
    #expect(log.states[3].videoSize == large)
    log.check()
  }
}
