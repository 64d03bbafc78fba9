internal import Glibc
internal import KiteSystem
internal import Synchronization

/// A thread that calls `turn` whenever a descriptor is readable, or a time has come.
final class CompositorThread: Sendable {
  private let wakeUp: EventDescriptor
  private let isStopping = Atomic(false)
  private let thread = Mutex<pthread_t?>(nil)

  /// What a turn wants next.
  struct Next {
    /// The descriptor to wait for; negative to wait for none.
    var descriptor: Int32
    /// When to come back at the latest.
    var deadline: MonotonicTime?
  }

  /// Starts the thread.
  init(_ turn: @escaping @Sendable () -> Next) throws(SystemError) {
    wakeUp = try EventDescriptor()
    let start = Start(owner: self, turn: turn)
    var created = pthread_t()
    let code = pthread_create(
      &created, nil,
      { @Sendable raw in
        guard let raw else { return nil }
        let start = Unmanaged<Start>.fromOpaque(raw).takeRetainedValue()
        start.owner.run(start.turn)
        return nil
      }, Unmanaged.passRetained(start).toOpaque())
    guard code == 0 else {
      throw SystemError(call: "pthread_create", subject: "starting the compositor", code: code)
    }
    thread.withLock { $0 = created }
  }

  /// Has the thread take another turn.
  func wake() { wakeUp.signal() }

  /// Ends the thread and waits for its end. Idempotent.
  func stop() {
    isStopping.store(true, ordering: .sequentiallyConsistent)
    wakeUp.signal()
    let ended = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    if let ended { pthread_join(ended, nil) }
  }

  private final class Start {
    let owner: CompositorThread
    let turn: @Sendable () -> Next
    init(owner: CompositorThread, turn: @escaping @Sendable () -> Next) {
      self.owner = owner
      self.turn = turn
    }
  }

  private func run(_ turn: () -> Next) {
    while !isStopping.load(ordering: .sequentiallyConsistent) {
      let next = turn()
      var descriptors = [
        pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: next.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      let rest = next.deadline.map { max(0, ($0 - .now + 999_999) / 1_000_000) } ?? -1
      poll(&descriptors, 2, Int32(clamping: rest))
      if descriptors[0].revents != 0 { wakeUp.acknowledge() }
    }
  }
}

/// Lets other threads work.
func pause(milliseconds: UInt32) { usleep(milliseconds * 1000) }
