import KiteCore

/// When a view keeps the display awake: while it may, is seen, and its player plays video.
///
/// A pure value: it takes what happened and returns what to do, in order. Playing may stop for a moment without the hold
/// being dropped: the gap is given a grace, whose time the caller measures.
struct DisplayHold {
  /// What the view's player does, as far as the display is concerned.
  enum Playback: Hashable {
    /// Moving pictures.
    case video
    /// It would go on, but waits: for data, or for the next item.
    case gap
    /// Nothing that moves, and nothing on its way: paused, sound alone, nothing open, no player.
    case still
  }

  /// What happened.
  enum Event: Hashable {
    /// `keepsDisplayAwake` is this.
    case wished(Bool)
    /// The view's surface shows a picture, or does so no longer: hidden, closed, connection lost.
    case shown(Bool)
    /// The compositor shows the host, or has suspended it.
    case visible(Bool)
    /// The player does this.
    case playback(Playback)
    /// What the hold stands on is another one: another surface, another mechanism.
    case moved
    /// The time that `startGrace` asked for is over.
    case graceOver
  }

  /// What to do now.
  enum Action: Hashable {
    case acquire
    case release
    /// Report `graceOver` after `grace`.
    case startGrace
    case cancelGrace
  }

  /// How long a gap may be: that much rebuffering, or time between two items, doesn't turn the display off.
  static let grace = Duration.seconds(2)

  private enum State {
    case released
    case held
    /// Held over a gap.
    case inGrace
  }

  private var state = State.released
  private var isWished = true
  private var isShown = false
  private var isVisible = true
  private var playback = Playback.still

  /// The hold of a view that shows nothing yet.
  init() {}

  /// Whether the display is kept awake.
  var isHeld: Bool { state != .released }

  /// Takes what happened and returns what to do. An event that changes nothing returns nothing.
  mutating func event(_ event: Event) -> [Action] {
    switch event {
    case .wished(let isWished): self.isWished = isWished
    case .shown(let isShown): self.isShown = isShown
    case .visible(let isVisible): self.isVisible = isVisible
    case .playback(let playback): self.playback = playback
    case .moved: return isHeld ? [.release, .acquire] : []
    case .graceOver: return graceOver()
    }
    return settle()
  }

  private mutating func graceOver() -> [Action] {
    guard state == .inGrace else { return [] }
    state = .released
    return [.release]
  }

  private mutating func settle() -> [Action] {
    let isPossible = isWished && isShown && isVisible
    switch (state, isPossible ? playback : .still) {
    case (.released, .video):
      state = .held
      return [.acquire]
    case (.held, .gap):
      state = .inGrace
      return [.startGrace]
    case (.held, .still):
      state = .released
      return [.release]
    case (.inGrace, .video):
      state = .held
      return [.cancelGrace]
    case (.inGrace, .still):
      state = .released
      return [.cancelGrace, .release]
    case (.released, .gap), (.released, .still), (.held, .video), (.inGrace, .gap):
      return []
    }
  }
}

extension DisplayHold.Playback {
  /// What a player in this state does; nil for no player.
  init(_ state: PlayerState?) {
    guard let state else {
      self = .still
      return
    }
    let hasVideo = state.videoSize != nil && state.videoError == nil
    switch state.status {
    case .playing: self = hasVideo ? .video : .still
    case .buffering: self = hasVideo ? .gap : .still
    // The next item of a list begins where one has ended, or could not be played.
    case .ended, .failed, .opening: self = .gap
    case .idle, .paused: self = .still
    }
  }
}
