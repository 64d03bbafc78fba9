internal import CWayland
internal import KiteSystem

/// A queue whose thread sleeps while another one reads the socket for it.
///
/// The turn of its loop: `dispatchPending`, then, if `isServed`, poll `descriptor` instead of the connection's, and
/// `acknowledge` when it can be read. It ends with its queue.
public final class QueueFollower: @unchecked Sendable {
  // @unchecked: the queue is looked at under the roster's lock alone, and leaves the roster before it ends.
  private let display: OpaquePointer
  private let queue: OpaquePointer
  private let bell: EventDescriptor
  private let roster: ReaderRoster

  init(display: OpaquePointer, queue: OpaquePointer, roster: ReaderRoster) throws(SystemError) {
    self.display = display
    self.queue = queue
    self.roster = roster
    bell = try EventDescriptor()
  }

  /// Readable when events may wait in the queue, or when nobody reads for it any more; borrowed.
  public var descriptor: Int32 { bell.descriptor }

  /// Whether another thread reads for this queue from now on, until `descriptor` is readable.
  public var isServed: Bool { roster.hasLeader }

  /// Makes the descriptor unreadable; to be called before the events are handled.
  public func acknowledge() { bell.acknowledge() }

  func ring() { bell.signal() }

  /// Whether events wait. libwayland tells only those who want to read, so that is announced and taken back.
  var hasEvents: Bool {
    guard wl_display_prepare_read_queue(display, queue) == 0 else { return true }
    wl_display_cancel_read(display)
    return false
  }
}
