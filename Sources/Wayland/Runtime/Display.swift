internal import CWayland
internal import Glibc

/// A connection to a compositor.
///
/// It may be used from any thread; its queues and objects may not. It ends when the last reference goes:
/// objects that are alive refer to it through their queue, so close the queues first.
public final class Display: @unchecked Sendable {
  // @unchecked: libwayland guards the connection with a lock of its own, and the pointer never changes.
  let pointer: OpaquePointer
  /// Which threads read the socket for others.
  public let readers = ReaderRoster()
  let ownEvents: ConnectionEvents
  private let isOwner: Bool

  /// What became of the bytes that were to be sent.
  public enum Flush: Sendable {
    /// All of them are on their way.
    case done
    /// The socket is full: the compositor doesn't read. Send nothing more until the descriptor takes bytes
    /// again (`POLLOUT`), then flush again; libwayland ends the connection when its buffer overflows.
    case blocked
  }

  init(owning pointer: OpaquePointer) {
    self.pointer = pointer
    ownEvents = ConnectionEvents(pointer)
    isOwner = true
  }

  /// Joins a connection that other code made and keeps: `display` is a `wl_display *` that outlives this
  /// object.
  public init(foreign display: UnsafeMutableRawPointer) {
    pointer = OpaquePointer(display)
    ownEvents = ConnectionEvents(pointer)
    isOwner = false
  }

  deinit {
    ownEvents.end()
    if isOwner { wl_display_disconnect(pointer) }
  }

  /// The `wl_display *` for C libraries. It stays this object's: others must not disconnect it.
  public var rawPointer: UnsafeMutableRawPointer { UnsafeMutableRawPointer(pointer) }

  /// The socket to poll. It stays libwayland's: never read, written or closed by others.
  public var descriptor: Int32 { wl_display_get_fd(pointer) }

  /// A new queue, for the thread that calls this or the one it is sent to.
  public func makeQueue() throws(WaylandError) -> sending EventQueue {
    guard let queue = EventQueue(self) else { throw .outOfMemory }
    return queue
  }

  /// Sends what is buffered, as far as the socket takes it; never waits.
  ///
  /// A compositor that closed the connection is not an error here: it may have sent its reason, which reading
  /// brings.
  @discardableResult
  public func flush() throws(WaylandError) -> Flush {
    guard wl_display_flush(pointer) < 0 else { return .done }
    let code = errno
    // A connection that is dead already says so by its old error, which may be EAGAIN too.
    if let lastError { throw lastError }
    switch code {
    case EAGAIN: return .blocked
    case EPIPE: return .done
    default: throw .disconnected(errno: code)
    }
  }

  /// Why the connection is dead; `nil` while it lives. Requests are ignored from then on.
  public var lastError: WaylandError? {
    let code = wl_display_get_error(pointer)
    return code == 0 ? nil : WaylandError(display: pointer, errno: code, logged: ownEvents.loggedError)
  }

  /// For calls that failed: the connection's error, or what `errno` says if it has none.
  var currentError: WaylandError {
    let code = errno
    return lastError ?? .disconnected(errno: code)
  }
}
