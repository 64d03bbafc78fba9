internal import CWayland

/// The promise that this thread reads from the connection, or gives up soon.
///
/// While one exists, other readers wait for it in `read()`: poll, then read or let it go. Letting it go
/// cancels it.
public struct PreparedRead: ~Copyable {
  private let connection: Display
  private var isPending = true

  init(_ connection: Display) { self.connection = connection }

  /// Reads what has arrived into the queues; waits only for other threads that prepared to read.
  ///
  /// The compositor's error is thrown as soon as it was read, by this thread or another one.
  public consuming func read() throws(WaylandError) {
    isPending = false
    // The end of the socket must not be found before the error that came ahead of it was handled.
    var isAlive = connection.ownEvents.handle()
    // Also for a dead connection: this is what takes the announcement back.
    isAlive = wl_display_read_events(connection.pointer) == 0 && isAlive
    let isDead = !(isAlive && connection.ownEvents.handle())
    let error = isDead ? connection.currentError : nil
    connection.readers.didRead(isDead: isDead)
    if let error { throw error }
  }

  deinit {
    if isPending { wl_display_cancel_read(connection.pointer) }
  }
}
