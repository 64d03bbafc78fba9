/// What a view needs of a player. `KitePlayer` is one; an app may bring its own. Every member is safe on any thread.
public protocol Player: AnyObject, Sendable {
  /// The state now.
  var state: PlayerState { get }
  /// The position now, by the player's clock.
  var position: MediaTime { get }

  /// The states from now on, beginning with the current one. A slow reader gets the newest and misses those between.
  func stateChanges() -> AsyncStream<PlayerState>

  /// Starts or resumes. From `ended` it starts over. Without anything open: nothing.
  func play()
  /// Holds the position. Without anything open: nothing.
  func pause()

  /// Goes to `time`. Without anything open, or where `state.isSeekable` is false: nothing.
  func seek(to time: MediaTime, mode: SeekMode)

  /// Makes `renderer` the one that gets the pictures, and gives it the current picture at once, also while paused.
  ///
  /// The newest attach wins. The renderer that showed until then is told by `setActive(false)`, waits in line, and shows
  /// again (`setActive(true)`, with the current picture) when the ones after it have left. Attaching one that is
  /// attached already moves it to the front.
  func attach(_ renderer: any VideoRenderer)

  /// Takes `renderer`, and no other, out of the line. On return the player no longer calls it. Unknown ones: nothing.
  func detach(_ renderer: any VideoRenderer)
}

extension Player {
  /// A player that doesn't say otherwise can't go elsewhere.
  public func seek(to time: MediaTime, mode: SeekMode) {}
}
