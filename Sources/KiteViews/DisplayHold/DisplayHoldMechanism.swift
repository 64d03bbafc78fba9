/// A way to keep the display awake that belongs to no surface: what views use where the compositor has no
/// `zwp_idle_inhibit_manager_v1`.
///
/// All views of the process share one: it is asked to hold when the first of them wants it, and to let go when the last one
/// is done. No call may block, and none reports: where the display can't be kept awake, it is not.
public protocol DisplayHoldMechanism: AnyObject {
  /// Keep the display awake from now on. Never called twice in a row.
  @MainActor func hold()
  /// Let the display sleep again.
  @MainActor func letGo()
}

extension PlayerViewDefaults {
  /// Told when the mechanism is another one.
  @MainActor static var mechanismObservers: [ObjectIdentifier: () -> Void] = [:]

  /// What keeps the display awake where the compositor can't be asked; nil for nothing. Building a `KitePlayer` from the
  /// umbrella module installs one that asks the desktop over D-Bus. Views that play go over to it at once.
  @MainActor public static var displayHoldMechanism: (any DisplayHoldMechanism)? {
    didSet {
      guard displayHoldMechanism !== oldValue else { return }
      for observer in mechanismObservers.values { observer() }
    }
  }
}
