internal import Glibc

extension EventQueue {
  /// Sends what is buffered, waits until events arrive or the time is over, and dispatches them. Returns how
  /// many were dispatched; 0 says that none of this queue's arrived in time.
  @discardableResult
  public func dispatch(timeout: Duration) throws(WaylandError) -> Int {
    let deadline = ContinuousClock.now + timeout
    while true {
      let count = try dispatchPending()
      guard count == 0 else { return count }
      let flushed = try connection.flush()
      guard let prepared = prepareRead() else { continue }
      let events = flushed == .blocked ? POLLIN | POLLOUT : POLLIN
      let ready = wait(for: Int16(events), until: deadline)
      if ready & Int16(POLLIN | POLLHUP | POLLERR) != 0 { try prepared.read() }
      if ready == 0 { return try dispatchPending() }
    }
  }

  /// Waits until the compositor has handled everything sent before, dispatching this queue meanwhile.
  ///
  /// Throws `WaylandError.timedOut` when it takes longer than `timeout`: unlike libwayland's own, this
  /// roundtrip never hangs on a compositor that stopped.
  public func roundtrip(timeout: Duration) throws(WaylandError) {
    let deadline = ContinuousClock.now + timeout
    let callback = display.sync()
    var isDone = false
    callback.onEvent = { _ in isDone = true }
    while !isDone {
      let rest = deadline - ContinuousClock.now
      guard rest > .zero else {
        callback.onEvent = nil
        throw .timedOut(timeout)
      }
      try dispatch(timeout: rest)
    }
    // Protocol files before wayland 1.20 don't say that the event ends the callback.
    if callback.isAlive { callback.end() }
  }

  /// The events that the connection's descriptor has, 0 when the time was over first.
  private func wait(for events: Int16, until deadline: ContinuousClock.Instant) -> Int16 {
    var descriptor = pollfd(fd: connection.descriptor, events: events, revents: 0)
    while true {
      let rest = max(.zero, deadline - ContinuousClock.now).components
      let milliseconds =
        rest.seconds * 1000 + (rest.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
      let count = poll(&descriptor, 1, Int32(clamping: milliseconds))
      if count > 0 { return descriptor.revents }
      if count == 0 || errno != EINTR { return 0 }
    }
  }
}
