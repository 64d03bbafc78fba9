internal import KiteSystem
internal import Wayland

/// What a commit waits for by `fifo-v1` and `commit-timing-v1`, and what it leaves behind.
struct CommitConstraints {
  /// `wp_fifo_v1.set_barrier`.
  var setsBarrier = false
  /// `wp_fifo_v1.wait_barrier`.
  var waitsForBarrier = false
  /// `wp_commit_timer_v1.set_timestamp`, on the clock of presentation times, in nanoseconds.
  var time: Int64?

  /// A later commit's on top.
  mutating func merge(_ later: CommitConstraints) {
    setsBarrier = setsBarrier || later.setsBarrier
    waitsForBarrier = waitsForBarrier || later.waitsForBarrier
    time = later.time ?? time
  }
}

extension CompositorCore {
  func bind(_ manager: WpFifoManagerV1Resource) {
    manager.onRequest = { [weak self, weak manager] request in
      guard case .getFifo(let object, let surface) = request, let self,
        let surface = surface.flatMap({ self.surface(of: $0) })
      else { return }
      guard surface.fifo == nil else {
        manager?.postError(
          code: WpFifoManagerV1.Error.alreadyExists.rawValue, "one exists already")
        return
      }
      surface.fifo = object
      object.onRequest = { [weak surface, weak object] request in
        if case .destroy = request { return }
        guard let surface, surface.isAlive else {
          object?.postError(code: WpFifoV1.Error.surfaceDestroyed.rawValue, "the surface was destroyed")
          return
        }
        switch request {
        case .setBarrier: surface.pending.constraints.setsBarrier = true
        case .waitBarrier: surface.pending.constraints.waitsForBarrier = true
        case .destroy: break
        }
      }
    }
  }

  func bind(_ manager: WpCommitTimingManagerV1Resource) {
    manager.onRequest = { [weak self, weak manager] request in
      guard case .getTimer(let object, let surface) = request, let self,
        let surface = surface.flatMap({ self.surface(of: $0) })
      else { return }
      guard surface.timer == nil else {
        manager?.postError(
          code: WpCommitTimingManagerV1.Error.commitTimerExists.rawValue, "one exists already")
        return
      }
      surface.timer = object
      object.onRequest = { [weak surface, weak object] request in
        guard case .setTimestamp(let high, let low, let nanoseconds) = request else { return }
        func fail(_ error: WpCommitTimerV1.Error, _ message: String) {
          object?.postError(code: error.rawValue, message)
        }
        guard let surface, surface.isAlive else {
          return fail(.surfaceDestroyed, "the surface was destroyed")
        }
        guard nanoseconds < 1_000_000_000 else {
          return fail(.invalidTimestamp, "\(nanoseconds) ns are a second or more")
        }
        guard surface.pending.constraints.time == nil else {
          return fail(.timestampExists, "the commit has a time already")
        }
        let seconds = UInt64(high) << 32 | UInt64(low)
        surface.pending.constraints.time = Int64(clamping: seconds &* 1_000_000_000) &+ Int64(nanoseconds)
      }
    }
  }
}

extension ServerSurface {
  /// Applies the commits that wait for nothing any more, in their order.
  ///
  /// - Parameter time: of the refresh that takes them; nil between two, when no time has come.
  func applyReady(at time: MonotonicTime? = nil) {
    while let first = waiting.first, isReady(first, at: time) {
      waiting.removeFirst()
      apply(first)
      if first.constraints.setsBarrier { hasBarrier = true }
    }
  }

  private func isReady(_ change: SurfaceChange, at time: MonotonicTime?) -> Bool {
    guard change.points.acquire?.isSignalled ?? true else { return false }
    // A window changes in one step with its synchronized parts, which come after what they have in their queues.
    let waitsForChild = content.stack.contains {
      if case .child(let child) = $0 { child.cached != nil && !child.waiting.isEmpty } else { false }
    }
    guard !waitsForChild else { return false }
    if !core.latchesQueuedCommits, change.constraints.time != nil || change.constraints.waitsForBarrier {
      // The fault that a test wants: such a commit is only ever passed over.
      return waiting.contains { $0.constraints.time == nil && !$0.constraints.waitsForBarrier }
    }
    if change.constraints.waitsForBarrier, hasBarrier, !isSynchronized { return false }
    guard let due = change.constraints.time else { return true }
    return time.map { $0.nanoseconds >= due } ?? false
  }
}
