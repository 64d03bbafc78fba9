import KiteSystem
import Testing

@testable import KiteCore

/// Frames that are handed over before their time, and taken back where the clock says something else.
@Suite struct HandoverTests {
  /// Plays a film of 25 frames a second for a second.
  private func playing() -> (Simulation, EarlyRenderer) {
    let simulation = Simulation(.video(count: 200), attaches: false)
    let renderer = EarlyRenderer(time: simulation.time)
    simulation.player.attach(renderer)
    simulation.open(playsWhenReady: true)
    simulation.pass(.ms(1000))
    return (simulation, renderer)
  }

  private func expectCounts(_ simulation: Simulation) {
    let statistics = simulation.player.statistics
    #expect(
      statistics.decodedFrames == statistics.deliveredFrames + statistics.droppedFrames
        + statistics.discardedFrames + statistics.waitingFrames)
  }

  /// Each frame of the film once, in order.
  private func expectWhole(
    _ frames: [EarlyRenderer.Arrival], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let times = frames.map(\.pts.nanoseconds)
    #expect(times == times.indices.map { Int64($0) * 40_000_000 }, sourceLocation: sourceLocation)
  }

  @Test func twoComeAtATime() {
    let (simulation, renderer) = playing()
    let late = renderer.arrivals.suffix(16)
    #expect(Set(late.map(\.time)).count == 8)
    for arrival in late {
      #expect((60_000_000...110_000_000).contains(arrival.target - arrival.time), "\(arrival)")
    }
    expectWhole(renderer.kept)
    #expect(renderer.recalls == 0)
    expectCounts(simulation)
  }

  @Test func aPauseTakesBackWhatIsNotDue() {
    let (simulation, renderer) = playing()
    let ahead = renderer.kept.filter { $0.target > simulation.time.now }
    #expect(!ahead.isEmpty)
    simulation.player.pause()
    simulation.rest()
    #expect(renderer.kept.allSatisfy { $0.target <= simulation.time.now })
    #expect(renderer.kept.count == simulation.player.statistics.deliveredFrames)
    expectCounts(simulation)
    // What is taken for a screenshot is what is seen.
    #expect(simulation.player.currentFrame()?.properties.pts == renderer.kept.last?.pts)
    let start = simulation.time.now
    let position = simulation.player.position
    simulation.pass(.ms(500))
    simulation.player.play()
    simulation.pass(.ms(1000))
    expectWhole(renderer.kept)
    // Each is as long after the start again as it is behind the position of the pause.
    for frame in renderer.kept where frame.pts > position {
      #expect(frame.target - start - 500_000_000 == (frame.pts - position).nanoseconds)
    }
    expectCounts(simulation)
  }

  @Test func aStepShowsTheFrameBehindTheOneThatIsSeen() {
    let (simulation, renderer) = playing()
    simulation.player.pause()
    simulation.rest()
    let seen = renderer.kept.last?.pts ?? .unknown
    simulation.player.step(by: 1)
    simulation.rest()
    #expect(renderer.kept.last?.pts == seen + .ms(40))
    expectWhole(renderer.kept)
  }

  @Test func anotherSpeedAimsThemAnew() {
    let (simulation, renderer) = playing()
    simulation.player.rate = 2
    simulation.rest()
    let now = simulation.time.now
    let position = simulation.player.position
    #expect(renderer.recalls == 1)
    simulation.pass(.ms(500))
    expectWhole(renderer.kept)
    for frame in renderer.kept where frame.target > now {
      #expect(frame.target - now == (frame.pts - position).nanoseconds / 2)
    }
    expectCounts(simulation)
  }

  @Test func aSeekLetsThemGo() {
    let (simulation, renderer) = playing()
    simulation.player.seek(to: .ms(4000))
    simulation.rest()
    #expect(renderer.recalls == 0)
    #expect(renderer.kept.allSatisfy { $0.pts <= .ms(1000) || $0.pts >= .ms(4000) })
    simulation.pass(.ms(1000))
    let behind = renderer.kept.filter { $0.pts >= .ms(4000) }
    #expect(behind.map(\.pts.nanoseconds) == behind.indices.map { 4_000_000_000 + Int64($0) * 40_000_000 })
    expectCounts(simulation)
  }

  @Test func whoComesLaterGetsThoseAheadToo() {
    let (simulation, former) = playing()
    let later = EarlyRenderer(time: simulation.time)
    let ahead = former.kept.filter { $0.target > simulation.time.now }
    simulation.player.attach(later)
    #expect(former.kept.allSatisfy { $0.target <= simulation.time.now })
    #expect(later.arrivals.dropFirst().map(\.pts) == ahead.map(\.pts))
    #expect(later.arrivals.first?.pts == former.kept.last?.pts)
    simulation.pass(.ms(400))
    let times = later.kept.map(\.pts.nanoseconds)
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 40_000_000 })
  }
}
