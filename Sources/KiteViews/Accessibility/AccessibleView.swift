public import KiteCore

/// What assistive technology is told of one view: a value, published whenever something of it has changed.
public struct AccessibleView: Sendable {
  /// The window that the view is in; nil where the view does not know it, as inside of other code's surface.
  public struct Window: Hashable, Sendable {
    /// The same for all views of one window.
    public var id: ObjectIdentifier
    /// The window's title.
    public var title: String
    /// Whether it has the keyboard, as far as the compositor shows it so.
    public var isActive: Bool

    /// A window.
    public init(id: ObjectIdentifier, title: String, isActive: Bool) {
      self.id = id
      self.title = title
      self.isActive = isActive
    }
  }

  /// What can be asked of the view's player. Every member is safe on any thread, and none waits.
  public struct Controls: Sendable {
    /// The position now.
    public var position: @Sendable () -> MediaTime
    /// Plays, or pauses what plays.
    public var toggle: @Sendable () -> Void
    /// Goes to a position; nil while the player can't.
    public var seek: (@Sendable (MediaTime) -> Void)?

    /// The controls of a player that can't go to another position, unless `seek` says how.
    public init(
      position: @escaping @Sendable () -> MediaTime, toggle: @escaping @Sendable () -> Void,
      seek: (@Sendable (MediaTime) -> Void)? = nil
    ) {
      self.position = position
      self.toggle = toggle
      self.seek = seek
    }
  }

  /// The view's window.
  public var window: Window?
  /// The view's place in the window or the parent, in logical pixels.
  public var frame: PixelRect
  /// Whether it can be seen.
  public var isShown = false
  /// `KitePlayerView.accessibilityVideoLabel`.
  public var label = ""
  /// `KitePlayerView.accessibilityPositionLabel`.
  public var positionLabel = ""
  /// `KitePlayerView.accessibilityActionLabel`.
  public var actionLabel = ""
  /// What `KitePlayerView.accessibilityStateFormat` made of the state.
  public var stateText = ""
  /// What the player is doing; nil without one.
  public var status: PlaybackStatus?
  /// Length of the media; nil when it is not known.
  public var duration: MediaTime?
  /// Grows with every jump of the position: a seek, a start from the beginning. What ticks by is none.
  public var jumps = 0
  /// The player's controls; nil without a player.
  public var controls: Controls?

  /// A view that is at `frame`, and of which nothing more is said yet.
  public init(frame: PixelRect) { self.frame = frame }
}

/// What carries views to assistive technology.
///
/// Views that have shown a picture, or have been on the screen for a moment, publish themselves. No call may block.
public protocol AccessibilityBridge: AnyObject {
  /// The view with this identity is new, or has changed.
  @MainActor func publish(_ view: AccessibleView, of id: ObjectIdentifier)
  /// The view is gone.
  @MainActor func withdraw(_ id: ObjectIdentifier)
}

extension PlayerViewDefaults {
  /// Told when the bridge is another one.
  @MainActor static var bridgeObservers: [ObjectIdentifier: () -> Void] = [:]

  /// What carries views to assistive technology; nil for nothing. Building a `KitePlayer` from the umbrella module installs
  /// one that speaks AT-SPI. Views that are there go over to it at once.
  @MainActor public static var accessibilityBridge: (any AccessibilityBridge)? {
    didSet {
      guard accessibilityBridge !== oldValue else { return }
      for observer in bridgeObservers.values { observer() }
    }
  }
}
