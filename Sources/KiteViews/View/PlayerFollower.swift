import KiteCore

/// Tells a view what its player does: the state when it begins to follow, and then whenever it is another one.
///
/// It keeps the player as long as it follows it.
@MainActor
final class PlayerFollower {
  /// Called with the newest state; with nil when there is no player to follow.
  var onState: (PlayerState?) -> Void = { _ in }
  private var following: Task<Void, Never>?

  /// Follows `player` instead of the one before.
  func follow(_ player: (any Player)?) {
    following?.cancel()
    following = nil
    guard let player else { return onState(nil) }
    // The stream first, so that no change falls between.
    let states = player.stateChanges()
    onState(player.state)
    following = Task { [weak self] in
      for await _ in states {
        guard !Task.isCancelled, let self else { return }
        // What the stream gives may be older than what was told already.
        onState(player.state)
      }
    }
  }

  isolated deinit { following?.cancel() }
}
