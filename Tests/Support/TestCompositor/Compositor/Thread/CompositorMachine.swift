internal import KiteSystem

/// What the compositor's thread runs: the core, the lock around it, and the screen's clock.
final class CompositorMachine: @unchecked Sendable {
  // @unchecked: everything below is only touched under the lock.
  let lock = RecursiveLock()
  let core: CompositorCore
  /// Reads nothing and answers nothing.
  var isStalled = false
  /// Between refreshes by itself, in nanoseconds; nil for only when told.
  var vblankInterval: Int64?
  var nextVblank = MonotonicTime.distantFuture

  init(_ configuration: CompositorConfiguration) throws { core = try CompositorCore(configuration) }

  /// Serves clients and refreshes the screen when it is time. Returns when to come back.
  func turn() -> CompositorThread.Next {
    lock.withLock {
      guard !isStalled else { return CompositorThread.Next(descriptor: -1, deadline: nil) }
      core.display.dispatch()
      if let interval = vblankInterval, .now >= nextVblank {
        core.vblank(at: nextVblank)
        core.display.dispatch()
        nextVblank = max(nextVblank + interval, .now)
      }
      return CompositorThread.Next(
        descriptor: core.display.descriptor, deadline: vblankInterval == nil ? nil : nextVblank)
    }
  }
}
