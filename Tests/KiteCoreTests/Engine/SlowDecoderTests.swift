import KiteSystem
import Testing

@testable import KiteCore

@Suite struct SlowDecoderTests {
  @Test func aDecoderThatIsSlowForAWhileCatchesUp() {
    // 25 a second; ten pictures take 100 ms each, the others 10 ms.
    let simulation = Simulation(
      .video(count: 200) { index, picture in
        picture.cost = (50..<60).contains(index) ? 100_000_000 : 10_000_000
      })
    simulation.open(playsWhenReady: true)
    simulation.pass { simulation.player.status == .ended }
    let start = simulation.renderer.shown.first?.time ?? .distantPast
    #expect(simulation.time.now - start == 8_000_000_000)
    let late = simulation.renderer.shown.filter { $0.time > $0.target }
    #expect(!late.isEmpty)
    #expect(simulation.renderer.shown.suffix(100).allSatisfy { $0.time == $0.target })
    expectNothingLost(simulation, waiting: 0)
  }

  @Test func picturesThatNoOtherNeedsAreSkippedToKeepUp() {
    // Every picture takes 60 of 40 ms; every second one is needed by no other.
    let simulation = Simulation(
      .video(count: 501, keyframes: 50) { index, picture in
        picture.cost = 60_000_000
        picture.isReference = index % 2 == 0
      })
    simulation.open(playsWhenReady: true)
    simulation.pass { simulation.player.status == .ended }
    let start = simulation.renderer.shown.first?.time ?? .distantPast
    // The last frame may be late; nothing more.
    #expect((20_040_000_000..<20_440_000_000).contains(simulation.time.now - start))
    #expect(simulation.backend.counts.hurries > 0)
    let lateness = simulation.renderer.shown.map { $0.time - $0.target }.max() ?? 0
    #expect(lateness < 400_000_000)
    #expect(simulation.player.statistics.skippedPackets == 0)
    expectNothingLost(simulation, waiting: 0)
  }

  @Test func noMoreIsSkippedThanWillDo() {
    // Every picture takes 44 of 40 ms: a tenth too slow.
    let simulation = Simulation(
      .video(count: 1000, keyframes: 50) { index, picture in
        picture.cost = 44_000_000
        picture.isReference = index % 2 == 0
      })
    simulation.open(playsWhenReady: true)
    simulation.pass { simulation.player.status == .ended }
    #expect(simulation.renderer.shown.count > 880)
    #expect(simulation.player.statistics.skippedPackets == 0)
    expectNothingLost(simulation, waiting: 0)
  }

  @Test func aHopelesslySlowDecoderShowsNewFramesAndTheClockGoesOn() {
    // Every picture takes five times its time; all are needed.
    let simulation = Simulation(.video(count: 1500, keyframes: 50) { $1.cost = 200_000_000 })
    simulation.open(playsWhenReady: true)
    simulation.pass { simulation.player.status == .ended }
    let start = simulation.renderer.shown.first?.time ?? .distantPast
    let shown = simulation.renderer.shown
    #expect(simulation.time.now - start < 62_000_000_000)
    #expect(shown.map { $0.time - $0.target }.max() ?? 0 < 4_500_000_000)
    #expect(shown.count > 100)
    // It never stands still for longer than from one keyframe to the next, and a bit.
    let longest = zip(shown, shown.dropFirst()).map { $1.time - $0.time }.max() ?? 0
    #expect(longest < 3_000_000_000)
    #expect(simulation.player.statistics.skippedPackets > 500)
    expectNothingLost(simulation, waiting: 0)
  }

  @Test func withoutFurtherKeyframesNothingIsPassedOver() {
    let simulation = Simulation(.video(count: 200, keyframes: 1000) { $1.cost = 200_000_000 })
    simulation.open(playsWhenReady: true)
    simulation.pass { simulation.player.status == .ended }
    #expect(simulation.player.statistics.skippedPackets == 0)
    #expect(simulation.backend.counts.decoded == 200)
    expectNothingLost(simulation, waiting: 0)
  }

  @Test func lateFramesAreDroppedOnlyWhenTheNextIsDueToo() {
    let simulation = Simulation(.video(count: 200))
    simulation.open(playsWhenReady: true)
    simulation.pass(.ms(2000))
    // The machine stands still for a while: the frames that wait are all late when it goes on.
    simulation.time.advance(to: simulation.time.now + 900_000_000)
    simulation.pass { simulation.player.status == .ended }
    #expect(simulation.player.droppedFrames > 0)
    // What is dropped is older than what is shown at the same moment.
    for (a, b) in zip(simulation.renderer.shown, simulation.renderer.shown.dropFirst()) {
      #expect(a.pts < b.pts)
    }
    expectNothingLost(simulation, waiting: 0)
  }
}
