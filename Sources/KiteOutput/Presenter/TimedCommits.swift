import KiteSystem
import Wayland

/// The objects by which a surface's commits are queued and timed (`fifo-v1`, `commit-timing-v1`). Belongs to the presenter;
/// every call is part of a commit.
struct TimedCommits {
  /// The two globals, of no use without each other.
  struct Managers {
    let fifo: WpFifoManagerV1
    let timing: WpCommitTimingManagerV1
  }

  private let managers: Managers?
  private var fifo: WpFifoV1?
  private var timer: WpCommitTimerV1?

  /// For a surface that has no such objects; without `managers` nothing is ever told.
  init(_ managers: Managers?) { self.managers = managers }

  /// Whether the compositor has both protocols.
  var isOffered: Bool { managers != nil }

  /// Tells what the commit to come is to wait for.
  ///
  /// - Parameter clock: the clock of the compositor's times (`CLOCK_…`).
  mutating func apply(_ terms: CommitQueue.Terms, to surface: WlSurface, clock: Int32, use: inout SurfaceUse)
  {
    guard let managers else { return }
    let fifo = self.fifo ?? managers.fifo.getFifo(surface)
    self.fifo = fifo
    use.fifo = fifo.handle
    if terms.waits { fifo.waitBarrier() }
    fifo.setBarrier()
    guard let time = terms.time?.nanoseconds(onClock: clock), time >= 0 else { return }
    let timer = self.timer ?? managers.timing.getTimer(surface)
    self.timer = timer
    use.timer = timer.handle
    let seconds = UInt64(time / 1_000_000_000)
    timer.setTimestamp(
      tvSecHi: UInt32(seconds >> 32), tvSecLo: UInt32(truncatingIfNeeded: seconds),
      tvNsec: UInt32(time % 1_000_000_000))
  }
}
