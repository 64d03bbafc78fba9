import Foundation
import Glibc
import KiteSystem
import TestCompositor
import Testing
import Wayland

@testable import WaylandToolkit

/// The main thread sleeps while a presenter reads the socket for it, and misses nothing.
@MainActor
@Suite struct FollowingTests {
  /// A main queue that follows, and a presenter's queue beside it, both stepped by hand.
  @MainActor
  private final class Pair {
    let stage: Stage
    let presenter: EventQueue
    let reader: QueueSource
    var readers: ReaderRoster { stage.connection.display.readers }

    init() throws {
      stage = try Stage()
      stage.connection.source.followsReaders = true
      presenter = try stage.connection.display.makeQueue()
      reader = QueueSource(presenter)
    }

    /// Asks the compositor something on `queue`; what it answers is read by the presenter.
    func ask(on queue: EventQueue, _ answered: @escaping () -> Void = {}) {
      queue.display.sync().onEvent = { _ in answered() }
      let events = reader.prepare()
      stage.server.dispatch()
      reader.process(Self.ready(reader, for: events))
    }

    /// Whether the main thread's poll would return.
    var wakesMain: Bool { !Self.ready(stage.connection.source, for: .read).isEmpty }

    static func ready(_ source: QueueSource, for events: PollEvents) -> PollEvents {
      var descriptor = pollfd(fd: source.descriptor, events: events.rawValue, revents: 0)
      return PollEvents(rawValue: poll(&descriptor, 1, 0) > 0 ? descriptor.revents : 0)
    }

    func end() {
      presenter.close()
      stage.connection.close()
    }
  }

  @Test func theEventsOfAnotherQueueWakeOnlyTheOneThatLeads() throws {
    let pair = try Pair()
    pair.readers.lead()
    #expect(pair.stage.connection.prepare() == .read)
    var answers = 0
    for _ in 0..<3 { pair.ask(on: pair.presenter) { answers += 1 } }
    _ = pair.reader.prepare()
    pair.reader.process([])
    #expect(answers == 3)
    #expect(!pair.wakesMain)
    pair.readers.resign()
    pair.end()
  }

  @Test func itsOwnEventsWakeTheFollower() throws {
    let pair = try Pair()
    pair.readers.lead()
    _ = pair.stage.connection.prepare()
    var answers = 0
    pair.ask(on: pair.stage.connection.queue) { answers += 1 }
    #expect(pair.wakesMain)
    #expect(answers == 0)
    pair.stage.connection.process(.read)
    _ = pair.stage.connection.prepare()
    #expect(answers == 1)
    #expect(!pair.wakesMain)
    pair.readers.resign()
    pair.end()
  }

  @Test func whatCameBeforeTheSleepIsHandledFirst() throws {
    let pair = try Pair()
    pair.readers.lead()
    var answers = 0
    pair.ask(on: pair.stage.connection.queue) { answers += 1 }
    _ = pair.stage.connection.prepare()
    #expect(answers == 1)
    pair.readers.resign()
    pair.end()
  }

  @Test func theLeadersEndHandsTheSocketBack() throws {
    let pair = try Pair()
    let socket = pair.stage.connection.display.descriptor
    pair.readers.lead()
    _ = pair.stage.connection.prepare()
    #expect(pair.stage.connection.descriptor != socket)
    pair.readers.resign()
    #expect(pair.wakesMain)
    pair.stage.connection.process(.read)
    _ = pair.stage.connection.prepare()
    #expect(pair.stage.connection.descriptor == socket)
    pair.stage.connection.process([])
    pair.end()
  }

  @Test func theLossOfTheConnectionWakesTheFollower() throws {
    let pair = try Pair()
    pair.readers.lead()
    _ = pair.stage.connection.prepare()
    _ = pair.reader.prepare()
    pair.stage.peer.disconnect()
    pair.reader.process(.read)
    #expect(pair.wakesMain)
    pair.stage.connection.process(.read)
    _ = pair.stage.connection.prepare()
    #expect(pair.stage.errors.count == 1)
    pair.readers.resign()
    pair.end()
  }

  /// Leads on a thread of its own, and asks the compositor something all the while.
  private final class LeadingThread: Sendable {
    private let progress = Locked((answers: 0, isStopped: false, hasEnded: false))

    var answers: Int { progress.withLock { $0.answers } }
    var hasEnded: Bool { progress.withLock { $0.hasEnded } }
    func stop() { progress.withLock { $0.isStopped = true } }

    func start(_ display: Display) {
      Thread.detachNewThread { [self] in
        if let queue = try? display.makeQueue() {
          let loop = PollLoop()
          loop.add(QueueSource(queue))
          display.readers.lead()
          ask(queue)
          while !progress.withLock({ $0.isStopped }) { loop.turn(timeout: 1_000_000) }
          display.readers.resign()
          queue.close()
        }
        progress.withLock { $0.hasEnded = true }
      }
    }

    private func ask(_ queue: EventQueue) {
      queue.display.sync().onEvent = { [weak self, weak queue] _ in
        self?.progress.withLock { $0.answers += 1 }
        if let queue { self?.ask(queue) }
      }
    }
  }

  @Test func aQueueMayEndWhileAnotherThreadReadsForIt() throws {
    let stage = try Stage()
    let display = stage.connection.display
    let thread = LeadingThread()
    thread.start(display)
    let deadline = MonotonicTime.now + 30_000_000_000
    var rounds = 0
    while rounds < 300 || thread.answers < 300, .now < deadline {
      let queue = try display.makeQueue()
      _ = try queue.follow()
      _ = queue.display.sync()
      try display.flush()
      stage.server.dispatch()
      queue.close()
      rounds += 1
    }
    thread.stop()
    while !thread.hasEnded, .now < deadline { stage.server.dispatch(milliseconds: 1) }
    #expect(thread.hasEnded && thread.answers >= 300)
    #expect(stage.errors == [])
    stage.connection.close()
  }
}
