import KiteSystem
import Testing

@testable import KiteCore

/// What can't be played is passed over; only the last one's error is the player's.
@Suite struct QueueErrorTests {
  private static let broken = MediaError(kind: .unreadable, subject: "broken", reason: "is no film")

  private static func simulation(_ files: [(String, FakeMedia?)], play: Bool = true) -> Simulation {
    let simulation = Simulation(.video(count: 25))
    for (name, media) in files { simulation.backend[MediaLocation(name)] = media }
    for (name, _) in files { simulation.player.enqueue(MediaLocation(name)) }
    if play { simulation.player.play() }
    simulation.rest()
    return simulation
  }

  private static var unopenable: FakeMedia {
    var media = FakeMedia()
    media.openError = broken
    return media
  }

  @Test func theOneInTheMiddleIsPassedOver() {
    let simulation = Self.simulation([
      ("a", .video(count: 25)), ("b", Self.unopenable), ("c", .video(count: 25)),
    ])
    let log = StateLog(simulation.player)
    let start = simulation.time.now
    #expect(simulation.pass { simulation.player.status == .ended })
    #expect(Set(log.statuses) == [.playing, .ended])
    // Without a gap, what is more.
    #expect(simulation.renderer.shown.map(\.target) == (0..<50).map { start + 40_000_000 * Int64($0) })
    #expect(simulation.player.state.itemError == Self.broken)
    #expect(simulation.player.state.error == nil)
  }

  @Test func theFirstOneIsPassedOver() async {
    let simulation = Simulation(.video(count: 25))
    var media = Self.unopenable
    media.openGate = Gate()
    simulation.backend["a"] = media
    simulation.player.enqueue("a")
    simulation.player.enqueue("film")
    media.openGate?.open()
    #expect(await eventually { simulation.player.status == .paused })
    #expect(simulation.player.state.item?.name == "film")
    #expect(simulation.player.state.itemError == Self.broken)
    #expect(simulation.renderer.times == [.zero])
  }

  /// However soon it fails: the others are known by then.
  @Test func theFirstOneOfAListIsPassedOverAndTheNextPlays() async {
    for _ in 0..<20 {
      let simulation = Simulation(.video(count: 25))
      simulation.backend["a"] = Self.unopenable
      let items = simulation.player.startOpening(["a", "film"], playsWhenReady: true)
      #expect(items.map(\.name) == ["a", "film"])
      #expect(await eventually { simulation.player.status == .playing })
      #expect(simulation.player.state.item == items.last)
      #expect(simulation.player.state.itemError == Self.broken)
      simulation.player.close()
    }
  }

  @Test func theLastOneFailsWhenTheOneBeforeIsOver() {
    let simulation = Self.simulation([("a", .video(count: 25)), ("b", Self.unopenable)])
    simulation.pass(.ms(900))
    #expect(simulation.player.status == .playing)
    #expect(simulation.pass { simulation.player.status == .failed })
    #expect(simulation.player.error == Self.broken)
    #expect(simulation.renderer.shown.count == 25)
    // What comes then begins anew.
    simulation.player.enqueue("film")
    simulation.rest()
    #expect(simulation.player.status == .paused)
  }

  @Test func oneThatBreaksOffIsFollowedByTheNext() {
    var media = FakeMedia.video(count: 10)
    media.readError = Self.broken
    let simulation = Self.simulation([("a", media), ("b", .video(count: 25))])
    #expect(simulation.pass { simulation.player.status == .ended })
    #expect(simulation.renderer.shown.count == 35)
    #expect(simulation.player.state.itemError == Self.broken)
    #expect(simulation.player.state.item?.name == "b")
  }

  @Test func oneWithoutAPictureIsPassedOver() async {
    var damaged = FakeMedia.video(count: 5) { _, picture in picture.isDamaged = true }
    let gate = Gate()
    damaged.openGate = gate
    let simulation = Simulation(.video(count: 25))
    simulation.backend["a"] = damaged
    simulation.player.enqueue("a")
    simulation.player.enqueue("film")
    simulation.player.play()
    gate.open()
    #expect(await eventually { simulation.player.status == .playing })
    #expect(simulation.pass { simulation.player.status == .ended })
    #expect(simulation.renderer.shown.count == 25)
    #expect(simulation.player.state.itemError?.kind == .decoding)
  }

  @Test func allBadIsTheLastOnesError() {
    var other = FakeMedia()
    other.openError = MediaError(kind: .notFound, subject: "b", reason: "does not exist")
    let simulation = Self.simulation([("a", Self.unopenable), ("b", other)])
    #expect(simulation.player.status == .failed)
    #expect(simulation.player.error?.kind == .notFound)
  }

  @Test func closingEndsWhatIsBeingOpenedAhead() async {
    let simulation = Simulation(.video(count: 25))
    var slow = FakeMedia.video(count: 25)
    slow.openGate = Gate()
    simulation.backend["slow"] = slow
    simulation.open(playsWhenReady: true)
    simulation.player.enqueue("slow")
    #expect(await eventually { simulation.player.queue.count == 1 })
    simulation.player.close()
    #expect(await eventually { simulation.backend.counts.living == 0 })
  }
}
