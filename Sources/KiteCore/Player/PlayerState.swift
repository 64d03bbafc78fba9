/// What a player is doing.
public enum PlaybackStatus: String, Hashable, Sendable {
  /// Nothing is open.
  case idle
  /// A source is being opened.
  case opening
  /// Open, and holding its position.
  case paused
  /// Open, and its clock runs.
  case playing
  /// Wants to play, but waits for data.
  case buffering
  /// Played to the end.
  case ended
  /// Gave up; `PlayerState.error` says why.
  case failed
}

/// Everything a player says about itself at one instant. Fields belong together.
public struct PlayerState: Hashable, Sendable {
  /// Grows with every change; compare to tell newer from older.
  public var version: UInt64
  /// What the player is doing.
  public var status: PlaybackStatus
  /// What is open or being opened; nil when nothing is.
  public var item: QueueItem?
  /// Why the item before, or one that was to follow it, was passed over; nil when none was since something was opened.
  public var itemError: MediaError?
  /// Position when this state came about; `Player.position` has it for now.
  public var position: MediaTime
  /// Length of the media; nil when unknown or nothing is open.
  public var duration: MediaTime?
  /// The picture's size in square pixels, as shown; nil without video.
  public var videoSize: PixelSize?
  /// Whether the open media has sound.
  public var hasAudio: Bool
  /// Media seconds a second: 1 is the usual speed.
  public var rate: Double
  /// Whether the film begins again at its end.
  public var isLooping: Bool
  /// The part of the film that is played over and over; nil: all of it.
  public var loopRange: Range<MediaTime>?
  /// How loud, 0…1, as the user sets it: a half sounds about half as loud.
  public var volume: Double
  /// Whether nothing is to be heard, whatever the volume.
  public var isMuted: Bool
  /// The video track that is shown; nil: none.
  public var videoTrackID: Int?
  /// The audio track that is played; nil: none.
  public var audioTrackID: Int?
  /// The subtitle track that is shown; nil: none.
  public var subtitleTrackID: Int?
  /// How much later than they say subtitles are shown; negative: earlier.
  public var subtitleDelay: MediaTime
  /// Why the chosen subtitles are not shown, while the film plays on; nil otherwise.
  public var subtitleError: MediaError?
  /// Whether `seek` does anything: a pipe or a live stream can't go elsewhere.
  public var isSeekable: Bool
  /// Whether the picture of a seek is still being looked for; `position` is already where it goes.
  public var isSeeking: Bool
  /// Why the status is `failed`; nil otherwise.
  public var error: MediaError?
  /// Why nothing of the media's video is shown, while its sound plays on alone; nil otherwise.
  public var videoError: MediaError?

  /// The state of a player that has nothing open.
  public init() {
    version = 0
    status = .idle
    item = nil
    itemError = nil
    position = .zero
    duration = nil
    videoSize = nil
    hasAudio = false
    rate = 1
    isLooping = false
    loopRange = nil
    volume = 1
    isMuted = false
    videoTrackID = nil
    audioTrackID = nil
    subtitleTrackID = nil
    subtitleDelay = .zero
    subtitleError = nil
    isSeekable = false
    isSeeking = false
    error = nil
    videoError = nil
  }
}
