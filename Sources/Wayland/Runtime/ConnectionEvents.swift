internal import CWayland
internal import Glibc

/// The connection's own events: which object numbers are free again, and the error with which a compositor ends it.
///
/// libwayland keeps them in a queue of their own, for whichever thread dispatches next. It forgets the error when a thread
/// finds the end of the socket before that: the connection then counts as broken for no reason. So each thread handles
/// them between announcing its read and reading. Nothing more can arrive then, since all readers wait for the last of
/// them; and what another thread is about to handle is waited for by the lock.
final class ConnectionEvents: @unchecked Sendable {
  // @unchecked: the lock and libwayland's own guard everything; the pointers never change.
  private let display: OpaquePointer
  /// A queue without objects: to dispatch it handles the connection's own events and nothing else. Nil without memory for
  /// it; then the events are handled with those of other queues.
  private let queue: OpaquePointer?
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var errorLine: ProtocolErrorLog.Line?

  init(_ display: OpaquePointer) {
    self.display = display
    queue = wl_display_create_queue(display)
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// The last call, before the connection goes.
  func end() {
    if let queue { wl_event_queue_destroy(queue) }
  }

  /// Handles what has come. Returns whether the connection lives.
  func handle() -> Bool {
    guard let queue else { return wl_display_get_error(display) == 0 }
    willHandle()
    let isAlive = wl_display_dispatch_queue_pending(display, queue) >= 0
    didHandle(isAlive: isAlive)
    return isAlive
  }

  /// This thread is about to let libwayland handle the connection's own events, and `didHandle` follows, before any
  /// handler of ours runs.
  func willHandle() { pthread_mutex_lock(lock) }

  /// The connection's own events were handled; `isAlive` is false when libwayland says that the connection is dead.
  func didHandle(isAlive: Bool) {
    // What this thread logged last is about this connection: others log what is theirs.
    if !isAlive, errorLine == nil { errorLine = ProtocolErrorLog.takeLine(of: pthread_self()) }
    pthread_mutex_unlock(lock)
  }

  /// What libwayland logged of the error, if a thread of ours handled it.
  var loggedError: ProtocolErrorLog.Line? {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return errorLine
  }
}
