import Synchronization

/// What views use where nothing else is said.
public enum PlayerViewDefaults {
  /// Told when a default changes, so that views that had none take it up.
  @MainActor static var observers: [ObjectIdentifier: () -> Void] = [:]

  /// The factory of every view that has none of its own. Building a player installs one; a view that was there before
  /// takes it up at once.
  @MainActor public static var rendererFactory: (any RendererFactory)? {
    didSet {
      guard rendererFactory !== oldValue else { return }
      for observer in observers.values { observer() }
    }
  }
}
