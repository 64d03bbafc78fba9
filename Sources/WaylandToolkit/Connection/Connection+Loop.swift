public import KiteSystem
internal import Wayland

extension Connection {
  /// What a program with a loop of its own polls: the socket, and the timers that repeat keys. In each turn,
  /// `prepare` every source, poll its `descriptor` for what that returned, then `process` it with what
  /// happened, the urgent ones first and before any other work. All on the main thread.
  ///
  /// Such a program also has to run the main dispatch queue, or nothing that is `await`ed on the main actor
  /// goes on. Loops of GLib, Qt and SDL don't: poll a `MainQueueSource` too.
  public var sources: [any PollSource] { [source, timers] }

  /// The socket to poll; -1 once the connection is dead.
  public var descriptor: Int32 { source.descriptor }

  /// Before a poll of `descriptor`: handles what has arrived and sends what was asked for. Returns what to
  /// poll for.
  public func prepare() -> PollEvents { source.prepare() }

  /// After the poll, with what happened: reads. What was read is handled by the next `prepare`.
  public func process(_ events: PollEvents) { source.process(events) }

  /// Sends what was asked for, without waiting; the loop does so by itself once a turn.
  public func flush() {
    guard isAlive, !source.isBlocked else { return }
    // An error comes back with the next turn, together with the compositor's reason.
    _ = try? display.flush()
  }

  /// Waits until the compositor has handled everything sent before, at most `timeout`; events are handled
  /// meanwhile. For tests and tools: an app never needs to wait.
  public func roundtrip(timeout: Duration = .seconds(10)) throws(ToolkitError) {
    do throws(WaylandError) { try queue.roundtrip(timeout: timeout) } catch { throw .connection(error) }
    runPendingUpdates()
    flush()
  }

  /// Calls `update` once, after the events that are being handled and before the next flush: what many events
  /// asked for is done once.
  func beforeNextFlush(_ update: @escaping () -> Void) { pendingUpdates.append(update) }

  func runPendingUpdates() {
    while !pendingUpdates.isEmpty, isAlive {
      let updates = pendingUpdates
      pendingUpdates.removeAll()
      for update in updates { update() }
    }
  }
}
