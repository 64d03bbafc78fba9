import KiteSystem
import Testing

@testable import KiteCore

@Suite struct StateTests {
  @Test func aNewPlayerIsIdle() {
    let player = KitePlayer(backend: FakeBackend())
    #expect(player.state == PlayerState())
    #expect(player.position == .zero)
    #expect(player.tracks.isEmpty)
    player.play()
    player.pause()
    player.close()
    #expect(player.state == PlayerState())
  }

  @Test func theStreamBeginsWithTheCurrentStateAndEndsWithThePlayer() async {
    var player: KitePlayer? = KitePlayer(backend: FakeBackend())
    guard let stream = player?.stateChanges() else { return }
    try? await player?.open("film")
    var iterator = stream.makeAsyncIterator()
    // A slow reader gets the newest.
    #expect(await iterator.next()?.status == .paused)
    player?.play()
    #expect(await iterator.next()?.status == .playing)
    player = nil
    #expect(await iterator.next()?.status == .idle)
    #expect(await iterator.next() == nil)
  }

  @Test func theLastStateIsNeverMissed() async {
    for _ in 0..<20 {
      let player = KitePlayer(backend: FakeBackend(.video(count: 3, rate: 1000)))
      let stream = player.stateChanges()
      let reader = Task {
        var versions: [UInt64] = []
        for await state in stream {
          versions.append(state.version)
          if state.status == .ended { break }
        }
        return versions
      }
      try? await player.open("film", playsWhenReady: true)
      let versions = await reader.value
      #expect(versions == versions.sorted())
      #expect(Set(versions).count == versions.count)
    }
  }

  @Test func whoWaitsForAnOpeningHasHeardItsState() async {
    for round in 0..<50 {
      let backend = FakeBackend()
      if round.isMultiple(of: 2) { backend["film"] = nil }
      let player = KitePlayer(backend: backend)
      let log = StateLog(player)
      try? await player.open("film")
      #expect(log.statuses == [.idle, .opening, round.isMultiple(of: 2) ? .failed : .paused])
    }
  }

  @Test func aReaderThatLeavesIsForgotten() async {
    let player = KitePlayer(backend: FakeBackend())
    let task = Task {
      for await _ in player.stateChanges() {}
    }
    task.cancel()
    await task.value
    player.close()
  }

  @Test func anObserverSeesEveryChangeInOrder() {
    let simulation = Simulation(.video(count: 5))
    let log = StateLog(simulation.player)
    for _ in 0..<3 {
      simulation.open()
      simulation.player.play()
      simulation.player.pause()
      simulation.player.play()
      simulation.pass { simulation.player.status == .ended }
      simulation.player.close()
    }
    let round: [PlaybackStatus] = [.opening, .paused, .playing, .paused, .playing, .ended, .idle]
    #expect(log.statuses == [.idle] + round + round + round)
    log.check()
    #expect(log.states.last?.version == simulation.player.state.version)
  }

  @Test func anObserverMayUseThePlayer() async {
    let player = KitePlayer(backend: FakeBackend(.video(count: 3, rate: 1000)))
    let rounds = Locked(0)
    let observation = player.observe { [weak player] state in
      switch state.status {
      case .paused: player?.play()
      case .ended:
        rounds.withLock { $0 += 1 }
        player?.close()
      case .idle: if rounds.withLock({ $0 < 3 }) { player?.startOpening("film") }
      default: break
      }
    }
    #expect(await eventually { rounds.withLock { $0 } == 3 && player.status == .idle })
    observation.cancel()
  }

  @Test func aCancelledObservationIsOver() {
    let player = KitePlayer(backend: FakeBackend())
    let count = Locked(0)
    let observation = player.observe { _ in count.withLock { $0 += 1 } }
    #expect(count.withLock { $0 } == 1)
    observation.cancel()
    player.startOpening("film")
    player.close()
    #expect(count.withLock { $0 } == 1)
  }

  @Test func positionFollowsTheClockBetweenStates() {
    let simulation = Simulation(.video(count: 100))
    simulation.open(playsWhenReady: true)
    let version = simulation.player.state.version
    simulation.pass(.ms(1234))
    #expect(simulation.player.position == .ms(1234))
    #expect(simulation.player.state.version == version)
    simulation.player.pause()
    #expect(simulation.player.state.position == .ms(1234))
    simulation.pass(.ms(9999))
    simulation.player.play()
    #expect(simulation.player.position == .ms(1234))
    simulation.pass(.ms(6))
    #expect(simulation.renderer.times.last == .ms(1240))
  }
}
