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
    guard wl_display_read_events(connection.pointer) == 0 else { throw connection.currentError }
  }

  deinit {
    if isPending { wl_display_cancel_read(connection.pointer) }
  }
}
