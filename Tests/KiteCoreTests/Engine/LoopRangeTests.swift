import KiteSystem
import Testing

@testable import KiteCore

/// A part of a film over and over: cut to the picture and to the sample, without a gap.
@Suite struct LoopRangeTests {
  /// Opens the film, sets the part, and plays.
  private static func playing(_ media: FakeMedia, _ range: Range<MediaTime>) -> Simulation {
    let simulation = Simulation(media)
    simulation.open()
    simulation.player.loopRange = range
    simulation.rest()
    simulation.player.play()
    simulation.rest()
    return simulation
  }

  @Test(arguments: [0, 3], [1, 10, 50])
  func thePicturesOfThePartFollowEachOther(decoderDelay: Int, keyframes: Int) {
    var media = FakeMedia.video(count: 100, keyframes: keyframes)
    media.decoderDelay = decoderDelay
    let simulation = Self.playing(media, .ms(400)..<MediaTime.ms(1400))
    let log = StateLog(simulation.player)
    let start = simulation.time.now
    let before = simulation.renderer.shown.count
    simulation.pass(.ms(4390))
    // The first one was shown at the opening.
    let expected = (1..<110).map { (index: Int) -> MediaTime in
      .ms(Int64(index < 35 ? index : 10 + (index - 35) % 25) * 40)
    }
    #expect(Array(simulation.renderer.times.dropFirst(before)) == expected)
    let shown = simulation.renderer.shown.dropFirst(before)
    #expect(shown.map(\.target) == (1..<110).map { start + 40_000_000 * Int64($0) })
    #expect(Set(log.statuses) == [.playing])
    #expect(simulation.player.droppedFrames == 0)
    #expect(simulation.player.position == .ms(400 + (4390 - 400) % 1000))
    #expect(simulation.player.state.loopRange == .ms(400)..<MediaTime.ms(1400))
  }

  @Test(arguments: [1, 50]) func theSoundIsCutToTheSample(keyframes: Int) throws {
    let media = FakeMedia.video(count: 100, keyframes: keyframes).withSound(to: 4000)
    let simulation = Self.playing(media, .ms(405)..<MediaTime.ms(1393))
    simulation.pass(.ms(4000))
    let heard = try #require(simulation.sinks.sink).heard
    #expect(heard.count > 3500)
    let expected = (0..<Int64(heard.count)).map { (index: Int64) -> Int64 in
      index < 1393 ? index : 405 + (index - 1393) % 988
    }
    #expect(heard.map(\.media) == expected)
    for (one, next) in zip(heard, heard.dropFirst()) {
      #expect(abs((next.time - one.time) - 1_000_000) < 1000)
    }
  }

  @Test func soundAloneIsCutToo() throws {
    var media = FakeMedia().withSound(to: 4000)
    media.hasVideo = false
    media.duration = .ms(4000)
    let simulation = Self.playing(media, .ms(410)..<MediaTime.ms(1390))
    simulation.pass(.ms(3500))
    let heard = try #require(simulation.sinks.sink).heard.map(\.media)
    #expect(heard.count > 3000)
    let expected = (0..<Int64(heard.count)).map { (index: Int64) -> Int64 in
      index < 1390 ? index : 410 + (index - 1390) % 980
    }
    #expect(heard == expected)
    #expect(simulation.player.status == .playing)
  }

  @Test func aPartBehindTheFilmsEndEndsWithIt() {
    let simulation = Self.playing(.video(count: 25), .ms(600)..<MediaTime.ms(5000))
    simulation.pass(.ms(1550))
    #expect(simulation.player.status == .playing)
    // 1 s, 0.4 s, and 0.15 s of the third lap.
    #expect(simulation.player.position == .ms(750))
  }

  @Test func whoIsBehindItsEndGoesToItsBeginning() {
    let simulation = Simulation(.video(count: 250, keyframes: 5))
    simulation.open(playsWhenReady: true)
    simulation.pass(.ms(2000))
    simulation.player.loopRange = .ms(1000)..<MediaTime.ms(2000)
    simulation.rest()
    #expect(simulation.renderer.times.last == .ms(1000))
    #expect(simulation.player.status == .playing)
    simulation.pass(.ms(1010))
    #expect(simulation.renderer.times.last == .ms(1000))
  }

  @Test func aSeekBehindItLeavesIt() {
    let simulation = Self.playing(.video(count: 250, keyframes: 5), .ms(400)..<MediaTime.ms(1400))
    simulation.player.seek(to: .ms(3000))
    simulation.rest()
    #expect(simulation.renderer.times.last == .ms(3000))
    simulation.pass(.ms(1000))
    #expect(simulation.player.position == .ms(4000))
    simulation.player.seek(to: .ms(1000))
    simulation.pass(.ms(500))
    #expect(simulation.player.position == .ms(500))
  }

  @Test func withoutItTheFilmGoesOn() {
    let simulation = Self.playing(.video(count: 100), .ms(400)..<MediaTime.ms(1400))
    simulation.pass(.ms(2000))
    simulation.player.loopRange = nil
    simulation.rest()
    #expect(simulation.player.state.loopRange == nil)
    #expect(simulation.player.position == .ms(1000))
    #expect(simulation.pass { simulation.player.status == .ended })
    #expect(simulation.player.position == .ms(4000))
  }

  @Test func theNextItemHasNone() {
    let simulation = Self.playing(.video(count: 25), .ms(400)..<MediaTime.ms(800))
    simulation.backend["1"] = .video(count: 25)
    simulation.player.enqueue("1")
    simulation.pass(.ms(2000))
    #expect(simulation.player.state.item?.name == "film")
    simulation.player.next()
    simulation.rest()
    #expect(simulation.player.state.item?.name == "1")
    #expect(simulation.player.state.loopRange == nil)
    #expect(simulation.pass { simulation.player.status == .ended })
  }

  @Test func whatCannotBeAPartIsNone() {
    var pipe = FakeMedia.video(count: 25)
    pipe.isSeekable = false
    let simulation = Self.playing(pipe, .ms(400)..<MediaTime.ms(800))
    #expect(simulation.player.state.loopRange == nil)
    let other = Self.playing(.video(count: 25), .ms(400)..<MediaTime.ms(450))
    #expect(other.player.state.loopRange == nil)
    #expect(other.pass { other.player.status == .ended })
  }

  /// In the order of decoding, a picture that is over may be needed by one that is not.
  @Test func picturesThatAreOverWaitForThoseThatNeedThem() {
    func packet(_ time: Int64) -> FakePacket { FakePacket(FakePicture(pts: .ms(time))) }
    var reader = LoopRangeReader(end: .ms(5))
    var taken: [Int64] = []
    for time in [0, 3, 1, 2, 6, 4, 5] as [Int64] {
      taken += reader.picture(packet(time)).compactMap { $0.pts.map { $0.nanoseconds / 1_000_000 } }
    }
    #expect(taken == [0, 3, 1, 2, 6, 4])
    #expect(!reader.isOver(hasVideo: true, hasSound: false))
    for time in 7..<30 as Range<Int64> { taken += reader.picture(packet(time)).map { _ in time } }
    #expect(taken.count == 6)
    #expect(reader.isOver(hasVideo: true, hasSound: false))
    #expect(!reader.isOver(hasVideo: true, hasSound: true))
    let sounds = [4, 5, 4].map { reader.sound(packet($0)) }
    #expect(sounds == [true, false, false])
    #expect(reader.isOver(hasVideo: true, hasSound: true))
  }

  @Test func aTrackThatHasEndedIsNotWaitedFor() {
    var reader = LoopRangeReader(end: .ms(1000))
    for time in stride(from: 0, through: 2000, by: 40) as StrideThrough<Int64> {
      _ = reader.picture(FakePacket(FakePicture(pts: .ms(time))))
    }
    #expect(reader.isOver(hasVideo: true, hasSound: true))
  }
}
