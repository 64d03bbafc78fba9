import KiteCore
import KiteSystem
import KiteViews

// The rung on which frames are committed ahead of their time: `docs/presentation.md` says what that is about.
extension Presenter {
  /// Commits what may go out ahead of its time. Returns when to look again; nil when only an event can bring more to do.
  func showAhead(at now: MonotonicTime, opening: MonotonicTime) -> MonotonicTime? {
    var now = now
    while true {
      if needsRepaint {
        guard now >= opening else { return opening }
        repaint(at: now)
      }
      // Buffers change with every commit.
      let opening = buffersOpening(at: now)
      let waiting = link.withShelf { $0.entries }
      switch queue.decide(targets: waiting.lazy.map(\.target), now: now) {
      case .idle: return nil
      case .wait(let time): return max(time, opening)
      case .commit(let index):
        guard now >= opening else { return opening }
        if let time = showWaiting(waiting[index].number, at: now) { return time }
      }
      now = .now
    }
  }

  /// What the commit of a waiting frame is told; nil where frames aren't committed ahead.
  func terms(of pending: borrowing PendingFrame, at now: MonotonicTime) -> CommitQueue.Terms? {
    guard queue.isWorking(at: now) else { return nil }
    return queue.terms(
      target: pending.target, aim: pending.aim, vblank: pacer.vblank(of: pending.aim), period: pacer.period,
      duration: pacer.frameDuration, at: now)
  }

  /// The compositor has had a frame for too long: the next rung goes on.
  func checkQueue(at now: MonotonicTime) {
    guard queue.tick(now) else { return }
    // What waits for its turn since then goes out at once.
    gate.open()
    noteRung(at: now)
  }

  /// Says which rung the frames are on, and how long before their time they are wanted.
  func noteRung(at now: MonotonicTime) {
    if let lead = queue.lead(for: pacer.frameDuration, at: now) {
      link.leads = FrameLeads(lead)
    } else {
      link.leads = rest.isSteady(at: now) ? FrameLeads(evenly: pacer.frameDuration) : FrameLeads()
    }
    let pacing: RendererDiagnostics.Pacing =
      queue.isWorking(at: now) ? .queue : pacer.period == nil ? .targets : .vblanks
    link.updateDiagnostics { $0.pacing = pacing }
  }
}
