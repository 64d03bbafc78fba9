internal import Wayland

/// A commit that waits for what is drawn elsewhere.
struct CommitHold {
  /// One hold's end is no other's.
  let number: Int
  /// Called after the commit.
  let onCommit: () -> Void
}

extension Window {
  /// Called by the content from `window(_:draw:)`: its commit is not to go out when that returns but with
  /// `releaseCommit()`, once what other threads draw for the new geometry is committed to synchronized subsurfaces; all of
  /// it then changes in one step. Geometries that come meanwhile wait; for the user, the window is that much behind.
  ///
  /// - Parameters:
  ///   - patience: after this it goes out all the same.
  ///   - onCommit: called directly after the commit, but not when the window is hidden or closed first.
  public func holdCommit(atMost patience: Duration, onCommit: @escaping () -> Void) {
    guard hold == nil, configure.isConfigured, !isClosed else { return }
    holds += 1
    hold = CommitHold(number: holds, onCommit: onCommit)
    Task { [weak self, number = holds] in
      try? await Task.sleep(for: patience)
      if self?.hold?.number == number { self?.releaseCommit() }
    }
  }

  /// Commits what was held back; nothing when nothing is.
  public func releaseCommit() {
    guard let held = hold else { return }
    hold = nil
    guard configure.isConfigured, !isClosed else { return }
    surface.commit()
    held.onCommit()
    connection.flush()
    scheduleUpdate()
  }
}
