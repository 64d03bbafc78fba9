import Testing
import ViewStage

@testable import KiteViews

/// The lifecycle, driven by hand; actions as the lines of a log.
@Suite struct ViewLifecycleTests {
  typealias Lifecycle = ViewLifecycle<String, String>
  typealias Event = Lifecycle.Event

  /// Feeds events; a wanted renderer is made at once, unless the factory's name is "none".
  private func run(_ events: [Event], on lifecycle: inout Lifecycle) -> [String] {
    var log: [String] = []
    var queue = events
    while !queue.isEmpty {
      for action in lifecycle.event(queue.removeFirst()) {
        switch action {
        case .make(let generation, let factory, let isSafe):
          log.append("make \(generation) by \(factory)\(isSafe ? " safe" : "")")
          queue.insert(
            factory == "none" ? .notMade(generation: generation) : .made(generation: generation), at: 0)
        case .attach(let generation, let player): log.append("attach \(generation) to \(player)")
        case .close(let generation): log.append("close \(generation)")
        case .detach(let generation, let player): log.append("detach \(generation) from \(player)")
        case .clear: log.append("clear")
        }
      }
    }
    return log
  }

  private let started: [Event] = [.playerChanged("A", clears: false), .factoryChanged("f"), .mapped]

  @Test(arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
  func aRendererIsMadeWhenPlayerFactoryAndSurfaceAreThere(order: [Int]) {
    var lifecycle = Lifecycle()
    #expect(run(order.map { started[$0] }, on: &lifecycle) == ["make 1 by f", "attach 1 to A"])
  }

  @Test func aFactoryThatGivesNoneIsNotAskedAgainUntilSomethingChanges() {
    var lifecycle = Lifecycle()
    #expect(
      run([.playerChanged("A", clears: false), .factoryChanged("none"), .mapped], on: &lifecycle) == [
        "make 1 by none"
      ])
    #expect(
      run([.playerChanged("A", clears: false), .mapped, .factoryChanged("none")], on: &lifecycle) == [])
    #expect(run([.playerChanged("B", clears: false)], on: &lifecycle) == ["make 2 by none"])
    #expect(run([.factoryChanged("f")], on: &lifecycle) == ["make 3 by f", "attach 3 to B"])
  }

  @Test func closeComesBeforeDetachAndDetachNamesTheRenderer() {
    var lifecycle = Lifecycle()
    _ = run(started, on: &lifecycle)
    #expect(
      run([.playerChanged("B", clears: false)], on: &lifecycle)
        == ["close 1", "detach 1 from A", "make 2 by f", "attach 2 to B"])
    #expect(run([.unmapped], on: &lifecycle) == ["close 2", "detach 2 from B"])
    #expect(run([.mapped], on: &lifecycle) == ["make 3 by f", "attach 3 to B"])
    #expect(run([.playerChanged(nil, clears: false)], on: &lifecycle) == ["close 3", "detach 3 from B"])
  }

  @Test func everyEventIsIdempotent() {
    var lifecycle = Lifecycle()
    _ = run(started, on: &lifecycle)
    #expect(run(started, on: &lifecycle) == [])
    _ = run([.unmapped], on: &lifecycle)
    #expect(run([.unmapped], on: &lifecycle) == [])
  }

  @Test func anotherFactoryRebuildsAtOnce() {
    var lifecycle = Lifecycle()
    _ = run(started, on: &lifecycle)
    #expect(
      run([.factoryChanged("g")], on: &lifecycle)
        == ["close 1", "detach 1 from A", "make 2 by g", "attach 2 to A"])
    #expect(run([.factoryChanged(nil)], on: &lifecycle) == ["close 2", "detach 2 from A"])
  }

  @Test func aFailedRendererIsRebuiltOnceOnTheSafePath() {
    var lifecycle = Lifecycle()
    _ = run(started, on: &lifecycle)
    #expect(
      run([.failed(generation: 1)], on: &lifecycle)
        == ["close 1", "detach 1 from A", "make 2 by f safe", "attach 2 to A"])
    #expect(run([.failed(generation: 1)], on: &lifecycle) == [], "a late word of the old one")
    #expect(run([.failed(generation: 2)], on: &lifecycle) == ["close 2", "detach 2 from A"])
    #expect(run([.unmapped, .mapped], on: &lifecycle) == ["make 3 by f", "attach 3 to A"])
  }

  @Test func aFailureIsRebuiltOnceWithEveryEvent() {
    let chances: [(event: [Event], rebuild: [String])] = [
      ([.factoryChanged("g")], ["make 3 by g", "attach 3 to A"]),
      ([.moved], ["make 3 by f", "attach 3 to A"]),
      ([.unmapped, .mapped], ["make 3 by f", "attach 3 to A"]),
      // The surface is the same one: what failed on it is not tried again.
      ([.playerChanged("B", clears: false)], ["make 3 by f safe", "attach 3 to B"]),
    ]
    for chance in chances {
      var lifecycle = Lifecycle()
      _ = run(started + [.failed(generation: 1), .failed(generation: 2)], on: &lifecycle)
      #expect(lifecycle.attachedGeneration == nil)
      #expect(run(chance.event, on: &lifecycle) == chance.rebuild)
    }
  }

  @Test func aMoveBetweenHostsRebuildsOnce() {
    var lifecycle = Lifecycle()
    _ = run(started, on: &lifecycle)
    #expect(run([.moved], on: &lifecycle) == ["close 1", "detach 1 from A", "make 2 by f", "attach 2 to A"])
    // Over an unmapped moment: one renderer ends, one begins.
    #expect(
      run([.unmapped, .mapped, .mapped], on: &lifecycle)
        == ["close 2", "detach 2 from A", "make 3 by f", "attach 3 to A"])
    var unmapped = Lifecycle()
    #expect(run([.moved], on: &unmapped) == [])
  }

  @Test func thePictureIsClearedBetweenTwoPlayersIfThatIsWanted() {
    var lifecycle = Lifecycle()
    _ = run(started, on: &lifecycle)
    #expect(
      run([.playerChanged("B", clears: true)], on: &lifecycle)
        == ["close 1", "detach 1 from A", "clear", "make 2 by f", "attach 2 to B"])
    #expect(run([.playerChanged("B", clears: true)], on: &lifecycle) == [])
    #expect(
      run([.playerChanged(nil, clears: true)], on: &lifecycle) == ["close 2", "detach 2 from B", "clear"])
    _ = run([.unmapped], on: &lifecycle)
    #expect(run([.playerChanged("A", clears: true)], on: &lifecycle) == [], "there is no surface to clear")
  }

  @Test func aDisplacedViewKeepsItsRendererAndComesBack() {
    var lifecycle = Lifecycle()
    _ = run(started, on: &lifecycle)
    #expect(run([.displaced(generation: 1)], on: &lifecycle) == [])
    #expect(lifecycle.isDisplaced && lifecycle.attachedGeneration == 1)
    #expect(run([.displaced(generation: 1)], on: &lifecycle) == [])
    #expect(run([.resumed(generation: 1)], on: &lifecycle) == [])
    #expect(!lifecycle.isDisplaced && lifecycle.attachedGeneration == 1)
    #expect(run([.resumed(generation: 1)], on: &lifecycle) == [])
  }

  @Test func aDisplacedViewThatIsUnmappedIsNotDisplacedWhenItAttachesAnew() {
    var lifecycle = Lifecycle()
    _ = run(started + [.displaced(generation: 1)], on: &lifecycle)
    #expect(run([.unmapped], on: &lifecycle) == ["close 1", "detach 1 from A"])
    #expect(!lifecycle.isDisplaced)
    #expect(run([.mapped], on: &lifecycle) == ["make 2 by f", "attach 2 to A"])
    // Late words of the old renderer.
    #expect(run([.displaced(generation: 1), .resumed(generation: 1)], on: &lifecycle) == [])
    #expect(!lifecycle.isDisplaced)
  }

  @Test func aFailureWhileDisplacedTakesThePlayerFromNobody() {
    var lifecycle = Lifecycle()
    _ = run(started + [.displaced(generation: 1)], on: &lifecycle)
    #expect(run([.failed(generation: 1), .failed(generation: 1)], on: &lifecycle) == [])
    #expect(
      run([.resumed(generation: 1)], on: &lifecycle)
        == ["close 1", "detach 1 from A", "make 2 by f safe", "attach 2 to A"])
    #expect(!lifecycle.isDisplaced)
  }

  @Test func aRendererThatComesTooLateIsClosed() {
    var lifecycle = Lifecycle()
    _ = lifecycle.event(.playerChanged("A", clears: false))
    _ = lifecycle.event(.factoryChanged("f"))
    #expect(lifecycle.event(.mapped) == [.make(generation: 1, factory: "f", isSafe: false)])
    #expect(lifecycle.wantedGeneration == 1)
    #expect(lifecycle.event(.unmapped) == [])
    #expect(lifecycle.wantedGeneration == nil)
    #expect(lifecycle.event(.made(generation: 1)) == [.close(generation: 1)])
  }

  /// Whatever comes in whatever order: what is made is closed, what is attached is detached after its close, and never
  /// are two attached.
  @Test(arguments: 0..<20) func anyOrderOfEventsKeepsTheRules(seed: UInt64) throws {
    var random = SeededRandom(seed)
    var lifecycle = Lifecycle()
    var attached: [Int: String] = [:]
    var made: Set<Int> = []
    var isMapped = false
    var player: String?
    for _ in 0..<500 {
      let generation = lifecycle.attachedGeneration ?? 0
      let event: Event
      switch random.next(below: 9) {
      case 0: event = .playerChanged(["A", "B"][random.next(below: 2)], clears: random.next(below: 2) == 0)
      case 1: event = .playerChanged(nil, clears: false)
      case 2: event = .factoryChanged(["f", "g", nil][random.next(below: 3)])
      case 3, 4: event = .mapped
      case 5: event = .unmapped
      case 6: event = .moved
      case 7:
        event = [.displaced(generation: generation), .resumed(generation: generation)][random.next(below: 2)]
      default: event = .failed(generation: generation)
      }
      if case .playerChanged(let new, _) = event { player = new }
      if case .mapped = event { isMapped = true }
      if case .unmapped = event { isMapped = false }
      var queue = lifecycle.event(event)
      while !queue.isEmpty {
        switch queue.removeFirst() {
        case .make(let generation, _, _):
          #expect(attached.isEmpty && isMapped)
          if random.next(below: 4) == 0 {
            queue += lifecycle.event(.notMade(generation: generation))
          } else {
            made.insert(generation)
            queue += lifecycle.event(.made(generation: generation))
          }
        case .attach(let generation, let to):
          #expect(attached.isEmpty && made.contains(generation) && to == player)
          attached[generation] = to
        case .close(let generation):
          #expect(made.remove(generation) != nil)
        case .detach(let generation, let from):
          #expect(!made.contains(generation) && attached.removeValue(forKey: generation) == from)
        case .clear: #expect(attached.isEmpty)
        }
      }
      #expect(attached.count <= 1 && (attached.isEmpty || isMapped))
      #expect(attached.isEmpty || attached.values.first == player)
      try #require(lifecycle.attachedGeneration == attached.keys.first)
    }
  }
}
