/// A track to be shown from now on; nil: none.
struct SubtitleWish {
  var trackID: Int?
}

/// Subtitles that a file of their own holds.
struct ExternalSubtitles: Sendable {
  let track: MediaTrack
  let form: SubtitleForm
  let events: [SubtitleEvent]
}

/// The subtitles of one item.
struct SubtitleState {
  /// The track that was chosen; nil: none.
  var trackID: Int?
  /// Grows with every choice.
  var serial: UInt64 = 0
  /// What the demuxer is to read from now on; nil: as it does.
  var wish: SubtitleWish?
  /// What is shown of the track; nil while it is not begun.
  var scene: SubtitleScene?
  /// The time whose lines that began before it are to be read; nil: they are, or are on the way.
  var lookBack: MediaTime?
  /// The choice for which somebody looks back.
  var lookBackSerial: UInt64?
  /// Tracks of other files, in the order of their coming.
  var externals: [ExternalSubtitles] = []
  var delay = MediaTime.zero
  /// Why the chosen track is not shown.
  var error: MediaError?
  var chapters: [Chapter] = []
  /// Somebody chose: the container's marks don't count.
  var isChosen = false

  /// The numbers of tracks of other files begin here: no container has as many.
  static let firstExternalID = 1_000_000

  /// The track that the demuxer reads; nil: none.
  var readTrackID: Int? { trackID.flatMap { $0 < Self.firstExternalID ? $0 : nil } }

  func tell(_ state: inout PlayerState) {
    state.subtitleTrackID = trackID
    state.subtitleDelay = delay
    state.subtitleError = error
  }

  /// Those of the item behind this one: nothing is chosen.
  func following() -> SubtitleState {
    var next = SubtitleState()
    next.serial = serial + 1
    next.delay = delay
    return next
  }

  /// Those of the item behind this one, once it is the one that is shown.
  func followed(by next: SubtitleState) -> SubtitleState {
    var next = next
    next.serial = max(next.serial, serial + 1)
    next.delay = delay
    next.scene?.setDelay(delay)
    return next
  }

  /// Makes `id` the chosen track; what was shown is no longer.
  mutating func choose(_ id: Int?) {
    trackID = id
    serial += 1
    scene = nil
    error = nil
    isChosen = true
    lookBack = nil
    wish = SubtitleWish(trackID: id)
  }
}

extension EngineState {
  /// The tracks of the source, and then those of other files.
  var allTracks: [MediaTrack] { tracks + externalAudio.tracks + subtitles.externals.map(\.track) }

  /// The item is open: chooses what its container marks, if nobody has chosen.
  mutating func chooseSubtitles(audio: MediaTrack?) {
    guard !subtitles.isChosen, let track = SubtitleChoice.track(of: tracks, audio: audio) else { return }
    subtitles.choose(track.id)
    wakes.insert(.demuxer)
  }

  /// The chosen track can't be shown.
  mutating func failSubtitles(_ error: MediaError, serial: UInt64) {
    guard serial == subtitles.serial, !isStopping else { return }
    subtitles.trackID = nil
    subtitles.scene = nil
    subtitles.error = error
    statistics.decodeWarnings += 1
    isChanged = true
  }
}
