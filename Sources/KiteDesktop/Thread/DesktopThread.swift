import KiteSystem

/// The thread of everything that talks to a bus: neither a slow service nor a stalled main thread holds the other up.
///
/// It starts with the first work and then sleeps in its poll. Work runs in the order in which it was given.
final class DesktopThread: Sendable {
  /// The process's own; nil where no thread is to be had, and then there is no desktop to talk to.
  static let shared = try? DesktopThread()

  private let thread: PollThread
  private let inbox = Locked(Inbox())

  private struct Inbox {
    var work: [@Sendable (PollLoop) -> Void] = []
    var isStarted = false
  }

  /// - Throws: `SystemError` when there is no descriptor or no thread to be had.
  init() throws(SystemError) {
    thread = try PollThread(name: "kite-desktop")
  }

  deinit { thread.stop() }

  /// Runs `work` on the thread, after what was given before. Any thread; never blocks.
  func run(_ work: @escaping @Sendable (PollLoop) -> Void) {
    let isFirst = inbox.withLock { inbox in
      inbox.work.append(work)
      defer { inbox.isStarted = true }
      return !inbox.isStarted
    }
    if isFirst { start() } else { thread.wake() }
  }

  private func start() {
    let starter = Starter(thread: thread)
    // The loop keeps the source, which must not keep this object.
    let take: @Sendable () -> [@Sendable (PollLoop) -> Void] = { [weak self] in self?.takeWork() ?? [] }
    Task { await starter.start(take) }
  }

  private func takeWork() -> [@Sendable (PollLoop) -> Void] {
    inbox.withLock { inbox in
      defer { inbox.work.removeAll() }
      return inbox.work
    }
  }

  /// Lives on the thread, where alone its loop is to be had.
  private actor Starter {
    nonisolated let thread: PollThread
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(thread: PollThread) { self.thread = thread }

    func start(_ take: @escaping @Sendable () -> [@Sendable (PollLoop) -> Void]) {
      guard let loop = PollThread.currentLoop else { return }
      loop.add(WorkSource(loop, take))
    }
  }

  /// Does the work between two polls; the thread's own wake-up ends the poll.
  private final class WorkSource: PollSource {
    private let take: () -> [@Sendable (PollLoop) -> Void]
    private weak var loop: PollLoop?

    init(_ loop: PollLoop, _ take: @escaping @Sendable () -> [@Sendable (PollLoop) -> Void]) {
      self.loop = loop
      self.take = take
    }

    var descriptor: Int32 { -1 }

    func prepare() -> PollEvents {
      guard let loop else { return [] }
      var work = take()
      while !work.isEmpty {
        for step in work { step(loop) }
        work = take()
      }
      return []
    }

    func process(_ events: PollEvents) {}
  }
}

/// Something that lives on a thread: made, used and ended there.
final class Resident<Value>: @unchecked Sendable {
  // @unchecked: `value` is only touched by work of the one thread.
  private var value: Value?
  private let thread: DesktopThread?

  /// Has the thread make the value. Without a thread there is none, and nothing happens.
  init(on thread: DesktopThread?, _ make: @escaping @Sendable (PollLoop) -> Value) {
    self.thread = thread
    thread?.run { [self] loop in value = make(loop) }
  }

  /// Uses the value, on its thread, later.
  func use(_ body: @escaping @Sendable (Value) -> Void) {
    thread?.run { [self] _ in
      if let value { body(value) }
    }
  }

  /// Ends the value, on its thread, after what it was to do.
  func end(_ body: @escaping @Sendable (Value) -> Void = { _ in }) {
    thread?.run { [self] _ in
      if let value { body(value) }
      value = nil
    }
  }
}
