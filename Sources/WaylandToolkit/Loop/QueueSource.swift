internal import Glibc
public import KiteSystem
public import Wayland

/// An event queue as a source of a poll loop: dispatches, flushes, and reads the connection's socket together
/// with the other threads that read it.
///
/// Belongs to the thread of its queue and its loop. The turn: `prepare` calls the handlers of the events that
/// have arrived, then `beforeFlush`, then sends; `process` only reads. Nothing else runs between the two,
/// because other threads' readers wait for this one meanwhile.
///
/// When the connection dies, `onError` is called once, the descriptor becomes -1, and nothing happens any
/// more.
public final class QueueSource: PollSource {
  /// Who else reads the socket on this thread.
  public enum Sharing: Sendable {
    /// Nobody: the read stays announced while the loop polls.
    case alone
    /// The loop of another toolkit, whose read would wait for ours for ever: it is announced and done in
    /// `process`.
    case withForeignLoop
  }

  /// Called once, with the reason, when the connection is dead.
  public var onError: ((WaylandError) -> Void)?
  /// Called in each `prepare` after the events were handled and before the requests are sent; not while the
  /// compositor takes nothing (`isBlocked`).
  public var beforeFlush: (() -> Void)?
  /// Why the connection is dead; nil while it lives.
  public private(set) var error: WaylandError?
  /// The compositor does not read: send as little as possible, since libwayland ends a connection whose
  /// buffer runs over. Cleared by the loop when the socket takes bytes again.
  public private(set) var isBlocked = false

  /// Whether another thread may read for this queue while it leads: then `descriptor` changes with each `prepare`.
  /// `MainLoop` asks it anew in each turn; a loop that doesn't leaves this false.
  public var followsReaders = false

  private let queue: EventQueue
  private let sharing: Sharing
  private var prepared: PreparedRead?
  /// Set from a `prepare` that found another thread reading, until the next one.
  private var serving: QueueFollower?

  /// A source for `queue`, which is kept.
  public init(_ queue: EventQueue, sharing: Sharing = .alone) {
    self.queue = queue
    self.sharing = sharing
  }

  /// The connection's socket, or while another thread reads it for this queue, what that one rings; -1 once the
  /// connection is dead or the queue closed.
  public var descriptor: Int32 {
    guard isAlive else { return -1 }
    return serving?.descriptor ?? queue.connection.descriptor
  }

  /// Readers on other threads wait for a prepared one.
  public var isUrgent: Bool { true }

  private var isAlive: Bool { error == nil && queue.isOpen }

  /// Handles what has arrived and sends what was asked for. Returns what to poll for.
  public func prepare() -> PollEvents {
    serving = nil
    guard isAlive else { return [] }
    do throws(WaylandError) {
      // What was held back goes out as soon as there is room.
      if isBlocked { isBlocked = try queue.connection.flush() == .blocked }
      repeat {
        try queue.dispatchPending()
        if !isBlocked { beforeFlush?() }
        guard isAlive else { return [] }
        guard sharing == .alone else { break }
        // Somebody has to wait for the room to send: that one reads too.
        if !isBlocked, let follower, follower.isServed {
          isBlocked = try queue.connection.flush() == .blocked
          guard isBlocked else {
            serving = follower
            return .read
          }
        }
        // Not given when another thread has brought events meanwhile.
        prepared = queue.prepareRead()
      } while prepared == nil
      isBlocked = try queue.connection.flush() == .blocked
      return isBlocked ? [.read, .write] : .read
    } catch {
      fail(error)
      return []
    }
  }

  /// Reads what has come, or lets the announced read go.
  public func process(_ events: PollEvents) {
    if let serving {
      // Before the events are handled: what comes later rings anew.
      if events.contains(.read) { serving.acknowledge() }
      return
    }
    var prepared: PreparedRead? = nil
    swap(&prepared, &self.prepared)
    guard isAlive, events.contains(.read) || !events.isDisjoint(with: .failure) else { return }
    if sharing == .withForeignLoop {
      prepared = queue.prepareRead()
      // The other loop may have read already; while the read is announced, what is there stays there.
      guard isReadable else { return }
    }
    guard let read = prepared.take() else { return }
    do throws(WaylandError) { try read.read() } catch { fail(error) }
  }

  private var follower: QueueFollower? {
    // Without a descriptor to sleep on it reads for itself.
    followsReaders ? try? queue.follow() : nil
  }

  private var isReadable: Bool {
    var descriptor = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, 0) > 0
  }

  private func fail(_ error: WaylandError) {
    prepared = nil
    // A queue that was closed from within a handler is no failure.
    guard self.error == nil, queue.isOpen else { return }
    self.error = error
    onError?(error)
  }
}
