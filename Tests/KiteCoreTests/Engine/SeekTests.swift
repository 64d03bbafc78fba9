import KiteSystem
import Testing

@testable import KiteCore

/// 25 pictures a second, a keyframe each second: picture n is shown from n × 40 ms on.
@Suite struct SeekTests {
  private func film(
    _ count: Int = 250, keyframes: Int = 25, _ change: (Int, inout FakePicture) -> Void = { _, _ in }
  ) -> Simulation {
    Simulation(.video(count: count, keyframes: keyframes, change))
  }

  @Test(arguments: [0, 1, 39, 40, 41, 999, 1000, 1001, 5555, 9959, 9960, 9999] as [Int64])
  func aPreciseSeekShowsThePictureOfThatTime(_ milliseconds: Int64) {
    let simulation = film()
    simulation.open()
    simulation.player.seek(to: .ms(milliseconds))
    #expect(simulation.player.position == .ms(milliseconds))
    simulation.rest()
    #expect(simulation.renderer.times.last == .ms(milliseconds / 40 * 40))
    #expect(simulation.player.position == .ms(milliseconds))
    #expect(simulation.player.status == .paused)
    #expect(!simulation.player.state.isSeeking)
    // One picture, not those on the way.
    #expect(simulation.renderer.shown.count == 2)
    expectNothingLost(simulation)
  }

  @Test func aKeyframeSeekShowsTheKeyframeBefore() {
    let simulation = film()
    simulation.open()
    simulation.player.seek(to: .ms(5555), mode: .keyframe)
    simulation.rest()
    #expect(simulation.renderer.times == [.zero, .ms(5000)])
    #expect(simulation.player.position == .ms(5000))
  }

  @Test func scrubbingShowsBoth() {
    let simulation = film()
    let log = StateLog(simulation.player)
    simulation.open()
    simulation.player.seek(to: .ms(5555), mode: .scrub)
    simulation.rest()
    #expect(simulation.renderer.times == [.zero, .ms(5000), .ms(5520)])
    #expect(simulation.player.position == .ms(5555))
    #expect(log.states.map(\.isSeeking).last == false)
    log.check()
    expectNothingLost(simulation)
  }

  @Test func playingGoesOnFromThere() {
    let simulation = film()
    let log = StateLog(simulation.player)
    simulation.open(playsWhenReady: true)
    simulation.pass(.ms(500))
    let before = simulation.renderer.shown.count
    simulation.player.seek(to: .ms(7010))
    simulation.rest()
    #expect(simulation.player.status == .playing)
    let now = simulation.time.now
    simulation.pass(.ms(100))
    let shown = simulation.renderer.shown[before...]
    #expect(shown.map(\.pts) == [.ms(7000), .ms(7040), .ms(7080)])
    // The first one is in the middle of its time: the next comes 30 ms later.
    #expect(shown.map { ($0.target - now) / 1_000_000 } == [0, 30, 70])
    #expect(simulation.player.position == .ms(7110))
    #expect(log.statuses.allSatisfy { $0 != .buffering })
    simulation.pass { simulation.player.status == .ended }
    expectNothingLost(simulation, waiting: 0)
  }

  @Test func pastTheEndIsTheLastPicture() {
    let simulation = film()
    simulation.open()
    simulation.player.seek(to: .ms(60_000))
    simulation.rest()
    #expect(simulation.renderer.times.last == .ms(9960))
    #expect(simulation.player.position == .ms(10_000))
    #expect(simulation.player.status == .paused)
    simulation.player.play()
    simulation.rest()
    #expect(simulation.player.status == .ended)
  }

  @Test func beforeTheStartIsTheFirst() {
    let simulation = film()
    simulation.open(playsWhenReady: true)
    simulation.pass(.ms(3000))
    simulation.player.seek(by: .ms(-60_000))
    simulation.rest()
    #expect(simulation.renderer.times.last == .zero)
    #expect(simulation.player.position == .zero)
    #expect(simulation.player.status == .playing)
  }

  @Test func relativeSeeksAddUp() {
    let simulation = film()
    simulation.open()
    simulation.player.seek(to: .ms(2000))
    for _ in 0..<5 { simulation.player.seek(by: .ms(1000)) }
    simulation.player.seek(by: .ms(-400))
    #expect(simulation.player.position == .ms(6600))
    simulation.rest()
    #expect(simulation.renderer.times.last == .ms(6600))
    #expect(simulation.player.position == .ms(6600))
    expectNothingLost(simulation)
  }

  @Test func seekingWhileOpeningTakesEffectOnceItIsOpen() {
    let simulation = film()
    let gate = Gate()
    simulation.backend["film"]?.openGate = gate
    simulation.player.startOpening("film", playsWhenReady: false)
    // What can be searched is known only then.
    simulation.player.seek(to: .ms(4000))
    gate.open()
    simulation.rest()
    #expect(simulation.player.status == .paused)
    #expect(simulation.renderer.times == [.ms(4000)])
    #expect(simulation.player.position == .ms(4000))
  }

  @Test func fromTheEndItIsPausedThere() {
    let simulation = film(25)
    simulation.open(playsWhenReady: true)
    simulation.pass { simulation.player.status == .ended }
    simulation.player.seek(to: .ms(400))
    simulation.rest()
    #expect(simulation.player.status == .paused)
    #expect(simulation.renderer.times.last == .ms(400))
    simulation.player.play()
    simulation.pass(.ms(100))
    #expect(simulation.player.position == .ms(500))
  }

  @Test func aHeldKeyShowsPicturesAllTheWay() {
    // Decoding takes 5 ms a picture, up to 25 of them for an exact one; the key repeats every 30 ms.
    let simulation = film { $1.cost = 5_000_000 }
    simulation.open()
    let before = simulation.renderer.shown.count
    for _ in 0..<100 {
      simulation.player.seek(by: .ms(50))
      simulation.pass(.ms(30))
    }
    #expect(simulation.renderer.shown.count - before > 30)
    simulation.pass(.ms(1000))
    #expect(simulation.player.position == .ms(5000))
    #expect(simulation.renderer.times.last == .ms(5000))
    expectNothingLost(simulation)
  }

  @Test func picturesThatNoOtherNeedsAreSkippedOnTheWay() {
    let simulation = film(250, keyframes: 250) { index, picture in picture.isReference = index % 2 == 0 }
    simulation.open()
    simulation.player.seek(to: .ms(8040))
    simulation.rest()
    #expect(simulation.renderer.times.last == .ms(8040))
    // Of 200 before it, half; and those of the last second.
    #expect(simulation.backend.counts.decoded < 130)
  }

  @Test func whatCanNotBeSearchedStaysWhereItIs() {
    var media = FakeMedia.video(count: 250, keyframes: 25)
    media.isSeekable = false
    let simulation = Simulation(media)
    simulation.open(playsWhenReady: true)
    simulation.pass(.ms(500))
    #expect(!simulation.player.state.isSeekable)
    let version = simulation.player.state.version
    simulation.player.seek(to: .ms(4000))
    simulation.player.seek(by: .ms(4000))
    simulation.rest()
    #expect(simulation.player.state.version == version)
    simulation.pass(.ms(500))
    #expect(simulation.player.position == .ms(1000))
    #expect(simulation.renderer.times.last == .ms(1000))
  }

  @Test func aRefusedSeekPlaysOn() {
    // So large that only half a second is read ahead, which is lost.
    var media = FakeMedia.video(count: 250, keyframes: 25) { $1.byteCount = 250_000 }
    media.refusesSeeks = true
    let simulation = Simulation(media)
    simulation.open(playsWhenReady: true)
    simulation.pass(.ms(500))
    simulation.player.seek(to: .ms(4000))
    simulation.pass(.ms(1000))
    #expect(simulation.player.status == .playing)
    #expect(!simulation.player.state.isSeeking)
    #expect(simulation.player.statistics.refusedSeeks == 1)
    #expect((simulation.renderer.times.last ?? .zero) > .ms(1000))
    expectNothingLost(simulation)
  }

  @Test func withoutVideoThePositionGoesThere() {
    var media = FakeMedia()
    media.hasVideo = false
    media.hasAudio = true
    media.duration = .ms(10_000)
    let simulation = Simulation(media)
    simulation.open(playsWhenReady: true)
    simulation.pass(.ms(500))
    simulation.player.seek(to: .ms(8000))
    simulation.rest()
    #expect(!simulation.player.state.isSeeking)
    simulation.pass(.ms(500))
    #expect(simulation.player.position == .ms(8500))
    #expect(simulation.player.status == .playing)
  }

  @Test func aDecoderWithPicturesInsideIsEmptiedFirst() {
    var media = FakeMedia.video(count: 250, keyframes: 25)
    media.decoderDelay = 4
    let simulation = Simulation(media)
    simulation.open()
    for time in [7000, 7040, 1234, 9990, 9960, 0] as [Int64] {
      simulation.player.seek(to: .ms(time))
      simulation.rest()
      #expect(simulation.renderer.times.last == .ms(time / 40 * 40))
    }
    expectNothingLost(simulation)
  }
}
