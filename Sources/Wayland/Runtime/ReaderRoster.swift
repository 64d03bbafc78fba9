internal import KiteSystem

/// Which threads read a connection's socket, and for whom.
///
/// libwayland lets every thread read, at a price: each event wakes all of them, and each read is a rendezvous of all. A
/// thread that wakes for every frame anyway can *lead*: while it does, the queues that *follow* sleep on a descriptor of
/// their own, and are woken only by what is theirs. Threads that do neither read as libwayland has it.
public final class ReaderRoster: Sendable {
  private struct State {
    var leaders = 0
    var followers: [QueueFollower] = []
    var rings = 0
  }

  private let state = Locked(State())

  init() {}

  /// Whether some thread reads for the followers now.
  var hasLeader: Bool { state.withLock { $0.leaders > 0 } }

  /// How many times followers were woken for what was theirs. A leader that sees it grow knows that another thread is busy
  /// with the compositor, and waits for no event.
  public var ringCount: Int { state.withLock { $0.rings } }

  func add(_ follower: QueueFollower) {
    state.withLock { $0.followers.append(follower) }
  }

  /// Afterwards the follower's queue is not looked at any more.
  func remove(_ follower: QueueFollower) {
    state.withLock { state in state.followers.removeAll { $0 === follower } }
  }

  /// This thread reads whatever comes, soon, until it resigns. Once for each `resign`.
  public func lead() {
    state.withLock { $0.leaders += 1 }
  }

  /// Hands the socket back: the followers are woken, to read for themselves.
  public func resign() {
    state.withLock { state in
      state.leaders -= 1
      guard state.leaders == 0 else { return }
      for follower in state.followers { follower.ring() }
    }
  }

  /// Events were read into the queues, or the connection died: wakes the followers whom it concerns.
  func didRead(isDead: Bool) {
    state.withLock { state in
      // Without a leader they poll the socket themselves.
      guard state.leaders > 0 else { return }
      for follower in state.followers where isDead || follower.hasEvents {
        follower.ring()
        state.rings += 1
      }
    }
  }
}
