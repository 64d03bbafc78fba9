import KiteSystem
import Testing

/// Notes its calls.
private final class Source: PollSource {
  let event: EventDescriptor
  let isUrgent: Bool
  let name: String
  var onPrepare: () -> Void = {}
  var onProcess: (PollEvents) -> Void = { _ in }
  private let journal: Journal

  final class Journal { var lines: [String] = [] }

  init(_ name: String, _ journal: Journal, isUrgent: Bool = false) throws {
    self.name = name
    self.journal = journal
    self.isUrgent = isUrgent
    event = try EventDescriptor()
  }

  var descriptor: Int32 { event.descriptor }

  func prepare() -> PollEvents {
    journal.lines.append("prepare \(name)")
    onPrepare()
    return .read
  }

  func process(_ events: PollEvents) {
    journal.lines.append("process \(name)\(events.contains(.read) ? " read" : "")")
    if events.contains(.read) { event.acknowledge() }
    onProcess(events)
  }
}

@Suite struct PollLoopTests {
  @Test func everySourceIsPreparedAndProcessedInEveryTurn() throws {
    let journal = Source.Journal()
    let (a, b) = (try Source("a", journal), try Source("b", journal))
    let loop = PollLoop()
    loop.add(a)
    loop.add(b)
    loop.add(a)
    b.event.signal()
    #expect(loop.turn())
    #expect(journal.lines == ["prepare a", "prepare b", "process a", "process b read"])
    #expect(!loop.turn(timeout: 0))
    #expect(journal.lines.suffix(2) == ["process a", "process b"])
  }

  /// Whoever waits for ever here would never hear of the new one.
  @Test func aSourceThatComesWhileOthersArePreparedGetsItsTurnAtOnce() throws {
    let journal = Source.Journal()
    let loop = PollLoop()
    let (first, second) = (try Source("first", journal), try Source("second", journal))
    first.onPrepare = { loop.add(second) }
    // The loop has the source, which has the loop.
    defer { first.onPrepare = {} }
    loop.add(first)
    second.event.signal()
    #expect(!loop.turn(timeout: 60_000_000_000))
    #expect(loop.turn(timeout: 60_000_000_000))
    #expect(journal.lines.suffix(2) == ["process first", "process second read"])
  }

  @Test func anUrgentSourceIsPreparedLastAndProcessedFirst() throws {
    let journal = Source.Journal()
    let loop = PollLoop()
    loop.add(try Source("urgent", journal, isUrgent: true))
    loop.add(try Source("calm", journal))
    loop.turn(timeout: 0)
    #expect(journal.lines == ["prepare calm", "prepare urgent", "process urgent", "process calm"])
  }

  @Test func aSourceRemovedWithinATurnIsNotCalledAnyMore() throws {
    let journal = Source.Journal()
    let (a, b) = (try Source("a", journal), try Source("b", journal))
    let loop = PollLoop()
    loop.add(a)
    loop.add(b)
    a.event.signal()
    b.event.signal()
    a.onProcess = { [unowned a] _ in
      loop.remove(b)
      loop.remove(a)
    }
    loop.turn()
    loop.turn(timeout: 0)
    #expect(journal.lines == ["prepare a", "prepare b", "process a read"])
    a.onProcess = { _ in }
  }

  @Test func aSourceRemovedWhilePreparingIsNotPolled() throws {
    let journal = Source.Journal()
    let (a, b) = (try Source("a", journal), try Source("b", journal))
    let loop = PollLoop()
    loop.add(a)
    loop.add(b)
    b.event.signal()
    a.onPrepare = { loop.remove(b) }
    #expect(!loop.turn(timeout: 0))
    #expect(journal.lines == ["prepare a", "process a"])
    a.onPrepare = {}
  }

  @Test func aSourceAddedWithinATurnComesWithTheNext() throws {
    let journal = Source.Journal()
    let (a, b) = (try Source("a", journal), try Source("b", journal))
    let loop = PollLoop()
    loop.add(a)
    a.onPrepare = { loop.add(b) }
    loop.turn(timeout: 0)
    #expect(journal.lines == ["prepare a", "process a"])
    loop.turn(timeout: 0)
    #expect(journal.lines.count == 6)
    a.onPrepare = {}
  }

  @Test func aHangUpIsAFailure() throws {
    let journal = Source.Journal()
    let source = try Source("gone", journal)
    let loop = PollLoop()
    loop.add(source)
    var seen: PollEvents = []
    source.onProcess = { seen = $0 }
    let broken = try BrokenSource()
    loop.add(broken)
    #expect(loop.turn(timeout: 1_000_000_000))
    #expect(!broken.events.isDisjoint(with: .failure))
    #expect(seen.isEmpty)
  }

  /// Polls a descriptor that isn't open.
  private final class BrokenSource: PollSource {
    var events: PollEvents = []
    init() throws {}
    var descriptor: Int32 { 1_000_000 }
    func prepare() -> PollEvents { .read }
    func process(_ events: PollEvents) { self.events = events }
  }

  @Test func aTimerWakesTheLoopOnceAndCanBeArmedAgain() throws {
    let timer = try LoopTimer()
    let loop = PollLoop()
    loop.add(timer)
    for _ in 0..<2 {
      timer.arm(at: .now)
      #expect(loop.turn(timeout: 10_000_000_000) == true)
      // Nothing is left over: the same time counts as new once it has come.
      #expect(loop.turn(timeout: 0) == false)
    }
    timer.arm(at: .now)
    timer.arm(at: nil)
    #expect(loop.turn(timeout: 0) == false)
  }

  @Test func sourcesWithoutADescriptorAreLeftOut() {
    final class None: PollSource {
      var calls = 0
      var descriptor: Int32 { -1 }
      func prepare() -> PollEvents { .read }
      func process(_ events: PollEvents) { calls += 1 }
    }
    let loop = PollLoop()
    let none = None()
    loop.add(none)
    #expect(!loop.turn(timeout: 0))
    #expect(none.calls == 1)
  }
}
