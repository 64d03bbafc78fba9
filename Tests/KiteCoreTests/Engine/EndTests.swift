import KiteSystem
import Testing

@testable import KiteCore

@Suite struct EndTests {
  @Test func theLastFrameStaysForItsDuration() {
    let simulation = Simulation(.video(count: 10))
    simulation.open(playsWhenReady: true)
    simulation.pass(.ms(399))
    #expect(simulation.renderer.shown.count == 10)
    #expect(simulation.player.status == .playing)
    simulation.pass(.ms(1))
    #expect(simulation.player.status == .ended)
    #expect(simulation.player.position == .ms(400))
    simulation.pass(.ms(5000))
    #expect(simulation.player.position == .ms(400))
  }

  @Test func withoutADurationTheEndIsThatOfTheLastFrame() {
    var media = FakeMedia.video(count: 10)
    media.duration = nil
    let simulation = Simulation(media)
    simulation.open(playsWhenReady: true)
    simulation.pass { simulation.player.status == .ended }
    #expect(simulation.player.position == .ms(400))
  }

  @Test func aPauseOnTheLastFrameHoldsTheEndOff() {
    let simulation = Simulation(.video(count: 10))
    simulation.open(playsWhenReady: true)
    simulation.pass(.ms(390))
    simulation.player.pause()
    simulation.pass(.ms(10_000))
    #expect(simulation.player.status == .paused)
    #expect(simulation.player.position == .ms(390))
    simulation.player.play()
    simulation.pass(.ms(10))
    #expect(simulation.player.status == .ended)
  }

  @Test func pausingAtTheEndChangesNothing() {
    let simulation = Simulation(.video(count: 3))
    simulation.open(playsWhenReady: true)
    simulation.pass { simulation.player.status == .ended }
    let version = simulation.player.state.version
    simulation.player.pause()
    #expect(simulation.player.state.version == version)
  }

  @Test func playingFromTheEndStartsOver() {
    let simulation = Simulation(.video(count: 10))
    let log = StateLog(simulation.player)
    simulation.open(playsWhenReady: true)
    for round in 1...3 {
      simulation.pass { simulation.player.status == .ended }
      #expect(simulation.renderer.shown.count == 10 * round)
      simulation.pass(.ms(3000))
      simulation.player.play()
      #expect(simulation.player.status == .playing)
      simulation.rest()
      #expect(simulation.player.position == .zero)
      #expect(simulation.renderer.times.last == .zero)
    }
    #expect(
      log.statuses == [.idle, .opening, .playing, .ended, .playing, .ended, .playing, .ended, .playing])
    log.check()
    expectNothingLost(simulation)
  }

  @Test func pausingWhileStartingOverShowsTheFirstFrame() {
    let simulation = Simulation(.video(count: 10))
    simulation.open(playsWhenReady: true)
    simulation.pass { simulation.player.status == .ended }
    simulation.player.play()
    simulation.player.pause()
    simulation.rest()
    #expect(simulation.player.status == .paused)
    #expect(simulation.renderer.times.last == .zero)
    #expect(simulation.player.position == .zero)
    simulation.pass(.ms(1000))
    #expect(simulation.player.position == .zero)
    simulation.player.play()
    simulation.pass { simulation.player.status == .ended }
    #expect(simulation.renderer.shown.count == 20)
  }

  @Test func aSourceThatCannotGoBackStaysEnded() {
    var media = FakeMedia.video(count: 10)
    media.isSeekable = false
    media.duration = nil
    let simulation = Simulation(media)
    simulation.open(playsWhenReady: true)
    for _ in 0..<2 {
      simulation.pass { simulation.player.status == .ended }
      simulation.player.play()
      simulation.rest()
      #expect(simulation.player.status == .ended)
      #expect(simulation.player.position == .ms(400))
    }
    #expect(simulation.renderer.shown.count == 10)
  }

  @Test func aStillImagePlaysAndEnds() {
    var media = FakeMedia()
    media.pictures = [FakePicture(pts: .zero)]
    let simulation = Simulation(media)
    simulation.open(playsWhenReady: true)
    #expect(simulation.pass { simulation.player.status == .ended })
    #expect(simulation.renderer.times == [.zero])
    simulation.player.detach(simulation.renderer)
    simulation.player.attach(simulation.renderer)
    #expect(simulation.renderer.times == [.zero, .zero])
  }

  @Test func framesInsideTheDecoderComeOutAtTheEnd() {
    var media = FakeMedia.video(count: 10)
    media.decoderDelay = 4
    let simulation = Simulation(media)
    simulation.open(playsWhenReady: true)
    simulation.pass { simulation.player.status == .ended }
    #expect(simulation.renderer.shown.count == 10)
    simulation.player.play()
    simulation.pass { simulation.player.status == .ended }
    #expect(simulation.renderer.shown.count == 20)
  }

  @Test func pausedAndEndedNothingWakes() {
    let simulation = Simulation(.video(count: 10))
    simulation.open()
    let armings = simulation.time.armings
    #expect(simulation.time.nextAlarm == nil)
    simulation.pass(.ms(100_000))
    simulation.player.play()
    simulation.pass { simulation.player.status == .ended }
    // One alarm for each frame that follows the first, and one for the end.
    #expect(simulation.time.armings - armings == 10)
    #expect(simulation.time.nextAlarm == nil)
  }
}

/// Every decoded frame is accounted for once.
func expectNothingLost(_ simulation: Simulation, waiting: Int? = nil) {
  let statistics = simulation.player.statistics
  #expect(
    statistics.decodedFrames
      == statistics.deliveredFrames + statistics.droppedFrames + statistics.discardedFrames
      + statistics.waitingFrames)
  #expect(statistics.decodedFrames == simulation.backend.counts.decoded)
  #expect(statistics.deliveredFrames == simulation.renderer.shown.count)
  if let waiting { #expect(statistics.waitingFrames == waiting) }
}
