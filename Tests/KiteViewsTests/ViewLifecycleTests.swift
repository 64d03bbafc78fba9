import Testing

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
        }
      }
    }
    return log
  }

  private let started: [Event] = [.playerChanged("A"), .factoryChanged("f"), .mapped]

  @Test(arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
  func aRendererIsMadeWhenPlayerFactoryAndSurfaceAreThere(order: [Int]) {
    var lifecycle = Lifecycle()
    #expect(run(order.map { started[$0] }, on: &lifecycle) == ["make 1 by f", "attach 1 to A"])
  }

  @Test func aFactoryThatGivesNoneIsNotAskedAgainUntilSomethingChanges() {
    var lifecycle = Lifecycle()
    #expect(
      run([.playerChanged("A"), .factoryChanged("none"), .mapped], on: &lifecycle) == ["make 1 by none"])
    #expect(run([.playerChanged("A"), .mapped, .factoryChanged("none")], on: &lifecycle) == [])
    #expect(run([.playerChanged("B")], on: &lifecycle) == ["make 2 by none"])
    #expect(run([.factoryChanged("f")], on: &lifecycle) == ["make 3 by f", "attach 3 to B"])
  }

  @Test func closeComesBeforeDetachAndDetachNamesTheRenderer() {
    var lifecycle = Lifecycle()
    _ = run(started, on: &lifecycle)
    #expect(
      run([.playerChanged("B")], on: &lifecycle)
        == ["close 1", "detach 1 from A", "make 2 by f", "attach 2 to B"])
    #expect(run([.unmapped], on: &lifecycle) == ["close 2", "detach 2 from B"])
    #expect(run([.mapped], on: &lifecycle) == ["make 3 by f", "attach 3 to B"])
    #expect(run([.playerChanged(nil)], on: &lifecycle) == ["close 3", "detach 3 from B"])
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

  @Test func aMoveBetweenHostsRebuildsOnce() {
    var lifecycle = Lifecycle()
    _ = run(started, on: &lifecycle)
    #expect(run([.moved], on: &lifecycle) == ["close 1", "detach 1 from A", "make 2 by f", "attach 2 to A"])
  }

  @Test func aRendererThatComesTooLateIsClosed() {
    var lifecycle = Lifecycle()
    _ = lifecycle.event(.playerChanged("A"))
    _ = lifecycle.event(.factoryChanged("f"))
    #expect(lifecycle.event(.mapped) == [.make(generation: 1, factory: "f", isSafe: false)])
    #expect(lifecycle.event(.unmapped) == [])
    #expect(lifecycle.event(.made(generation: 1)) == [.close(generation: 1)])
  }
}
