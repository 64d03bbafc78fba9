import KiteSystem
import Testing

@testable import KiteCore

@Suite struct AudioOnlyTests {
  private static func sound(_ duration: MediaTime?) -> FakeMedia {
    var media = FakeMedia()
    media.hasVideo = false
    media.hasAudio = true
    media.duration = duration
    return media
  }

  @Test func playsByTheClockUntilItsDurationIsOver() {
    let simulation = Simulation(Self.sound(.ms(3000)))
    simulation.open()
    #expect(simulation.player.status == .paused)
    #expect(simulation.player.state.hasAudio)
    #expect(simulation.player.videoSize == nil)
    simulation.player.play()
    simulation.pass(.ms(1000))
    #expect(simulation.player.position == .ms(1000))
    simulation.player.pause()
    simulation.pass(.ms(1000))
    simulation.player.play()
    simulation.pass(.ms(1999))
    #expect(simulation.player.status == .playing)
    simulation.pass(.ms(1))
    #expect(simulation.player.status == .ended)
    #expect(simulation.player.position == .ms(3000))
    simulation.player.play()
    simulation.pass(.ms(500))
    #expect(simulation.player.position == .ms(500))
    #expect(simulation.player.status == .playing)
  }

  @Test func withoutADurationItPlaysOn() {
    let simulation = Simulation(Self.sound(nil))
    simulation.open(playsWhenReady: true)
    simulation.pass(.ms(3_600_000))
    #expect(simulation.player.status == .playing)
    #expect(simulation.player.position == .ms(3_600_000))
    #expect(simulation.time.nextAlarm == nil)
  }

  @Test func videoWithoutADecoderIsPlayedAsSound() {
    var media = FakeMedia.video(count: 10)
    media.hasAudio = true
    media.decoderError = MediaError(kind: .unsupported, subject: "vp11", reason: "has no decoder")
    let simulation = Simulation(media)
    simulation.open(playsWhenReady: true)
    #expect(simulation.player.status == .playing)
    #expect(simulation.player.videoSize == nil)
    #expect(simulation.player.statistics.decodeWarnings == 1)
    #expect(simulation.player.state.videoError == media.decoderError)
    simulation.pass(.ms(400))
    #expect(simulation.player.status == .ended)
  }

  @Test func videoOfWhichNothingDecodesIsPlayedAsSound() {
    var media = FakeMedia.video(count: 10) { $1.isDamaged = true }
    media.hasAudio = true
    let simulation = Simulation(media)
    simulation.open(playsWhenReady: true)
    #expect(simulation.player.status == .playing)
    #expect(simulation.player.state.videoError?.kind == .decoding)
    #expect(simulation.player.state.error == nil)
    simulation.pass(.ms(400))
    #expect(simulation.player.status == .ended)
  }

  @Test func aPictureShorterThanItsSoundStays() {
    var media = FakeMedia.video(count: 1)
    media.hasAudio = true
    media.duration = .ms(180_000)
    let simulation = Simulation(media)
    simulation.open(playsWhenReady: true)
    simulation.pass(.ms(179_999))
    #expect(simulation.player.status == .playing)
    simulation.pass(.ms(1))
    #expect(simulation.player.status == .ended)
  }
}
