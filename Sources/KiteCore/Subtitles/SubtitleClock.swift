import KiteSystem

/// Where a player's clock is, within the item whose subtitles are shown: for text that changes between two pictures.
struct SubtitleClock {
  private let clock: PlaybackClock
  private let laps: Laps

  /// Of the shown item of `laps`.
  init(_ clock: PlaybackClock = PlaybackClock(), laps: Laps = Laps()) {
    self.clock = clock
    self.laps = laps
  }

  /// A picture that is shown longer than this, has text that comes and goes while it is: those of films are not, and their
  /// text changes with them. 15 pictures a second are not shown that long either.
  static let patience = MediaTime(nanoseconds: 75_000_000)
  /// Behind a time, so that rounding doesn't make it one before.
  private static let slack: Int64 = 100_000

  /// The media time of the text at `now`, over the picture of `picture`.
  func time(over picture: MediaTime, at now: MonotonicTime) -> MediaTime {
    let position = laps.media(at: clock.position(at: now))
    return position - picture >= Self.patience ? position : picture
  }

  /// When `time` is the time of the text over the picture of `picture`; nil while the clock stands.
  func due(_ time: MediaTime, over picture: MediaTime, at now: MonotonicTime) -> MonotonicTime? {
    let line = clock.position(at: now)
    let media = laps.media(at: line)
    return clock.time(of: line + (max(time, picture + Self.patience) - media))?.advanced(by: Self.slack)
  }
}
