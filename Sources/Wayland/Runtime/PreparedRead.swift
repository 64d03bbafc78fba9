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
  public consuming func read() throws(WaylandError) {
    isPending = false
    let isDead = wl_display_read_events(connection.pointer) != 0
    let error = isDead ? connection.currentError : nil
    connection.readers.didRead(isDead: isDead)
    if let error { throw error }
  }

  deinit {
    if isPending { wl_display_cancel_read(connection.pointer) }
  }
}
