import KiteSystem
import Testing

@testable import KiteCore

/// Video tracks: one, another, none.
@Suite struct VideoTrackTests {
  private static let large = PixelSize(width: 128, height: 72)

  private static func playing() -> Simulation {
    var media = FakeMedia.video(count: 250, keyframes: 5).withSound(to: 10_000)
    media.hasLargeVideo = true
    let simulation = Simulation(media)
    simulation.open(playsWhenReady: true)
    simulation.pass(.ms(1000))
    return simulation
  }

  @Test func anotherTrackIsShownAtThePosition() {
    let simulation = Self.playing()
    let player = simulation.player
    #expect(player.state.videoTrackID == 0)
    let log = StateLog(player)
    player.selectVideoTrack(10)
    simulation.pass(.ms(500))
    #expect(player.state.videoTrackID == 10)
    #expect(player.videoSize == Self.large)
    #expect(player.position > .ms(1200) && player.position <= .ms(1500))
    #expect(Set(log.statuses) == [.playing])
    player.selectVideoTrack(10)
    player.selectVideoTrack(1)
    player.selectVideoTrack(99)
    #expect(player.state.videoTrackID == 10)
    // Back, and to the end.
    player.selectVideoTrack(0)
    #expect(simulation.pass { player.status == .ended })
    #expect(player.videoSize == PixelSize(width: 64, height: 36))
  }

  @Test func withoutVideoTheSoundGoesOnOverBlack() throws {
    let simulation = Self.playing()
    let player = simulation.player
    let shown = simulation.renderer.shown.count
    let sink = try #require(simulation.sinks.sink)
    player.selectVideoTrack(nil)
    simulation.pass(.ms(2000))
    #expect(player.state.videoTrackID == nil)
    #expect(player.videoSize == nil)
    // The black one.
    #expect(simulation.renderer.shown.count == shown + 1)
    #expect(simulation.renderer.times.last == .unknown)
    let heard = sink.heard.map(\.media)
    #expect(heard == (0..<Int64(heard.count)).map { $0 })
    #expect(heard.count > 2500)
    #expect(player.position == .ms(3000 - 20))
    player.selectVideoTrack(0)
    simulation.pass(.ms(200))
    #expect(simulation.renderer.times.last.map { $0 > .ms(2900) } == true)
    #expect(player.videoSize != nil)
    #expect(simulation.pass { player.status == .ended })
  }

  @Test func whilePausedTheOtherTracksPictureIsShown() {
    let simulation = Self.playing()
    simulation.player.pause()
    simulation.player.selectVideoTrack(10)
    simulation.rest()
    #expect(simulation.player.status == .paused)
    #expect(simulation.player.videoSize == Self.large)
  }

  @Test func theNextItemBeginsWithItsOwn() {
    let simulation = Self.playing()
    simulation.backend["1"] = .video(count: 25).withSound(to: 1000)
    simulation.player.enqueue("1")
    simulation.player.selectVideoTrack(nil)
    #expect(
      simulation.pass { simulation.player.state.item?.name == "1" && simulation.player.videoSize != nil })
    #expect(simulation.player.state.videoTrackID == 0)
  }
}
