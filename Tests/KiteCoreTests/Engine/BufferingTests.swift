import KiteSystem
import Testing

@testable import KiteCore

@Suite struct BufferingTests {
  /// 25 a second; from picture `number` on, the source waits for the gate.
  private static func media(slowFrom number: Int, _ gate: Gate, count: Int = 100) -> FakeMedia {
    var media = FakeMedia.video(count: count)
    media.readGates[number] = gate
    return media
  }

  /// Lets time pass while the demuxer hangs in the source.
  private static func pass(_ simulation: Simulation, _ duration: MediaTime) async {
    let end = simulation.time.now + duration.nanoseconds
    while true {
      #expect(await simulation.restExceptDemuxer())
      guard let alarm = simulation.time.nextAlarm, alarm <= end else { break }
      simulation.time.advance(to: alarm)
    }
    simulation.time.advance(to: end)
    #expect(await simulation.restExceptDemuxer())
  }

  @Test func aSlowSourceStopsTheClockUntilThereIsEnough() async {
    let gate = Gate()
    let simulation = Simulation(Self.media(slowFrom: 10, gate))
    let log = StateLog(simulation.player)
    simulation.player.startOpening("film", playsWhenReady: true)
    await Self.pass(simulation, .ms(499))
    // All ten are shown; 100 ms late is no reason to stop.
    #expect(simulation.player.status == .playing)
    #expect(simulation.renderer.shown.count == 10)
    await Self.pass(simulation, .ms(1))
    #expect(simulation.player.status == .buffering)
    #expect(simulation.player.position == .ms(400))
    await Self.pass(simulation, .ms(60_000))
    #expect(simulation.player.position == .ms(400))
    gate.open()
    simulation.rest()
    #expect(simulation.player.status == .playing)
    #expect(simulation.renderer.times.last == .ms(400))
    simulation.pass { simulation.player.status == .ended }
    #expect(simulation.renderer.shown.count == 100)
    #expect(simulation.player.droppedFrames == 0)
    #expect(log.statuses == [.idle, .opening, .playing, .buffering, .playing, .ended])
    log.check()
  }

  @Test func soundAloneWaitsForASlowSourceToo() async throws {
    let gate = Gate()
    var media = FakeMedia().withSound(to: 4000)
    media.hasVideo = false
    media.duration = .ms(4000)
    media.soundGates[.ms(1000)] = gate
    let simulation = Simulation(media)
    simulation.player.startOpening("film", playsWhenReady: true)
    await Self.pass(simulation, .ms(1050))
    #expect(simulation.player.status == .playing)
    await Self.pass(simulation, .ms(300))
    #expect(simulation.player.status == .buffering)
    #expect(simulation.player.position == .ms(1000))
    gate.open()
    simulation.rest()
    #expect(simulation.player.status == .playing)
    #expect(simulation.pass { simulation.player.status == .ended })
    let heard = try #require(simulation.sinks.sink).heard.map(\.media)
    #expect(heard.count > 3900)
    #expect(heard == Array(0..<Int64(heard.count)))
  }

  @Test func aFewFramesAreNotEnough() async {
    let (first, second) = (Gate(), Gate())
    var media = Self.media(slowFrom: 10, first)
    // 3 wait decoded, one is in the decoder's hands: 12 packets span 440 ms.
    media.readGates[26] = second
    let simulation = Simulation(media)
    simulation.player.startOpening("film", playsWhenReady: true)
    await Self.pass(simulation, .ms(600))
    #expect(simulation.player.status == .buffering)
    first.open()
    await Self.pass(simulation, .ms(100))
    #expect(simulation.player.status == .buffering)
    second.open()
    simulation.rest()
    #expect(simulation.player.status == .playing)
  }

  @Test func theEndOfTheSourceIsEnough() async {
    let gate = Gate()
    let simulation = Simulation(Self.media(slowFrom: 10, gate, count: 12))
    simulation.player.startOpening("film", playsWhenReady: true)
    await Self.pass(simulation, .ms(600))
    #expect(simulation.player.status == .buffering)
    gate.open()
    simulation.pass { simulation.player.status == .ended }
    #expect(simulation.renderer.shown.count == 12)
  }

  @Test func pausingWhileBufferingPauses() async {
    let gate = Gate()
    let simulation = Simulation(Self.media(slowFrom: 10, gate))
    simulation.player.startOpening("film", playsWhenReady: true)
    await Self.pass(simulation, .ms(600))
    simulation.player.pause()
    #expect(simulation.player.status == .paused)
    simulation.player.play()
    await Self.pass(simulation, .ms(100))
    #expect(simulation.player.status == .buffering)
    simulation.player.pause()
    gate.open()
    simulation.rest()
    #expect(simulation.player.status == .paused)
    simulation.player.play()
    simulation.pass { simulation.player.status == .ended }
    #expect(simulation.renderer.shown.count == 100)
  }

  @Test func aSlowDecoderIsNoReasonToBuffer() {
    let simulation = Simulation(.video(count: 50) { $1.cost = 200_000_000 })
    let log = StateLog(simulation.player)
    simulation.open(playsWhenReady: true)
    simulation.pass { simulation.player.status == .ended }
    #expect(!log.statuses.contains(.buffering))
  }

  @Test func aSourceThatIsSlowToStartOverBuffers() async {
    let gate = Gate()
    let simulation = Simulation(.video(count: 10))
    simulation.open(playsWhenReady: true)
    simulation.pass { simulation.player.status == .ended }
    simulation.backend.hold(gate)
    simulation.player.play()
    await Self.pass(simulation, .ms(50))
    #expect(simulation.player.status == .playing)
    await Self.pass(simulation, .ms(100))
    #expect(simulation.player.status == .buffering)
    #expect(simulation.player.position == .zero)
    gate.open()
    simulation.rest()
    #expect(simulation.player.status == .playing)
    simulation.pass { simulation.player.status == .ended }
    #expect(simulation.renderer.shown.count == 20)
  }

  @Test func aSeekDoesNotWaitForAServerThatStalls() async {
    let gate = Gate()
    var media = Self.media(slowFrom: 30, gate)
    media.isRemote = true
    let simulation = Simulation(media)
    simulation.player.startOpening("film", playsWhenReady: true)
    await Self.pass(simulation, .ms(2000))
    #expect(simulation.player.status == .buffering)
    simulation.player.seek(to: .ms(400))
    // The gate is shut still: the read was broken off, and reading goes on elsewhere.
    #expect(await eventually { simulation.renderer.times.last == .ms(400) })
    #expect(await eventually { simulation.player.status == .playing })
    gate.open()
    simulation.pass { simulation.player.status == .ended }
    #expect(simulation.player.error == nil)
    #expect(simulation.renderer.times.last == .ms(3960))
  }

  @Test(arguments: [(200, 1 << 30), (60_000, 5_000)])
  func whatIsEnoughCanBeSaid(span: Int64, byteCount: Int) async {
    let (first, second) = (Gate(), Gate())
    var media = Self.media(slowFrom: 10, first)
    // A thousand bytes each: six of them, 3 decoded and one in the decoder's hands make it.
    media.readGates[20] = second
    var configuration = PlayerConfiguration()
    configuration.bufferingSpan = .ms(span)
    configuration.bufferingByteCount = byteCount
    let simulation = Simulation(media, configuration: configuration)
    simulation.player.startOpening("film", playsWhenReady: true)
    await Self.pass(simulation, .ms(600))
    #expect(simulation.player.status == .buffering)
    first.open()
    #expect(await eventually { simulation.player.status == .playing })
    second.open()
    simulation.pass { simulation.player.status == .ended }
    #expect(simulation.renderer.shown.count == 100)
  }
}
