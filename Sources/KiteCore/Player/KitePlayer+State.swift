// What a player says of itself.
extension KitePlayer {
  /// The state now: its fields belong together.
  public var state: PlayerState { publisher.state }
  /// What the player is doing.
  public var status: PlaybackStatus { state.status }
  /// The position now, by the player's clock; never before the start nor behind the duration.
  public var position: MediaTime { engine?.position ?? .zero }
  /// Length of the media; nil when unknown or nothing is open.
  public var duration: MediaTime? { state.duration }
  /// The picture's size in square pixels, as shown; nil without video.
  public var videoSize: PixelSize? { state.videoSize }
  /// Why the status is `failed`; nil otherwise.
  public var error: MediaError? { state.error }
  /// What the open media holds, in the container's order; empty until it is open.
  public var tracks: [MediaTrack] { engine?.monitor.withLock { $0.allTracks } ?? [] }
  /// The parts of the open media that its container names, in order.
  public var chapters: [Chapter] { engine?.monitor.withLock { $0.subtitles.chapters } ?? [] }
  /// What became of the video frames of what is open; zeros when nothing is.
  public var statistics: PlaybackStatistics {
    engine?.monitor.withLock { $0.statistics } ?? PlaybackStatistics()
  }
  /// Frames of what is open that were let go because they were late and the next one was due too.
  public var droppedFrames: Int { statistics.droppedFrames }

  /// The states from now on, beginning with the current one. A slow reader gets the newest and misses those between.
  /// Ends with the player, after its last state.
  public func stateChanges() -> AsyncStream<PlayerState> { publisher.makeStream() }

  /// Calls `observer` with the current state and then with every change, one at a time and in order, as long as the
  /// observation is kept.
  ///
  /// It is called on whichever thread made the change, with no lock held: it may use the player.
  public func observe(_ observer: @escaping @Sendable (PlayerState) -> Void) -> StateObservation {
    let id = publisher.addObserver(observer)
    publisher.callObservers()
    return StateObservation(publisher: publisher, id: id)
  }
}
