public import KiteCore

/// What a screen reader says of the view. Every word can be replaced.
extension KitePlayerView {
  /// What the view is called. Live.
  public var accessibilityVideoLabel: String {
    get { accessibility.words.label }
    set { accessibility.words.label = newValue }
  }

  /// What the slider of the position is called. Live.
  public var accessibilityPositionLabel: String {
    get { accessibility.words.positionLabel }
    set { accessibility.words.positionLabel = newValue }
  }

  /// What the action is called that plays and pauses. Live.
  public var accessibilityActionLabel: String {
    get { accessibility.words.actionLabel }
    set { accessibility.words.actionLabel = newValue }
  }

  /// Makes the text of the state: of what the player does, its position, and the duration if that is known. Setting it
  /// publishes its text at once. Without a player it is called with `idle`.
  public var accessibilityStateFormat: (PlaybackStatus, MediaTime, MediaTime?) -> String {
    get { accessibility.format }
    set { accessibility.format = newValue }
  }

  /// The text of the state as it was published last: it follows what the player does and the duration, not the ticking
  /// position.
  public var accessibilityStateText: String { accessibility.stateText }

  /// Reads the player again and publishes text and position as they are now.
  public func updateAccessibilityState() { accessibility.update() }

  /// The text of a state in English, such as "Playing, 1:23 of 4:56": the word for the state, and where the duration is
  /// known the position in it.
  nonisolated public static func accessibilityStateText(
    _ status: PlaybackStatus, _ position: MediaTime, _ duration: MediaTime?
  ) -> String {
    let word =
      switch status {
      case .idle: "No media"
      case .opening: "Opening"
      case .paused: "Paused"
      case .playing: "Playing"
      case .buffering: "Buffering"
      case .ended: "Ended"
      case .failed: "Failed"
      }
    guard let duration, status != .idle else { return word }
    return "\(word), \(accessibilityTimeText(position)) of \(accessibilityTimeText(duration))"
  }

  /// A time as it is read out: `M:SS`, from an hour on `H:MM:SS`. Fractions of a second are cut off; what is negative
  /// counts as zero.
  nonisolated public static func accessibilityTimeText(_ time: MediaTime) -> String {
    let seconds = max(0, time.nanoseconds) / 1_000_000_000
    let twoDigits = { (number: Int64) in number < 10 ? "0\(number)" : "\(number)" }
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    return hours > 0
      ? "\(hours):\(twoDigits(minutes)):\(twoDigits(seconds % 60))" : "\(minutes):\(twoDigits(seconds % 60))"
  }
}
