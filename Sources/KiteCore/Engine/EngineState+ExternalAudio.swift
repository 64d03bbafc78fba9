import KiteSystem

/// A file of sound that is open: the thread that opens it hands it to the demuxer under the engine's lock.
struct OpenedAudio: Sendable {
  let source: Handoff<any MediaSource>
  /// As the player shows them, by the numbers that they have in the file.
  let tracks: [Int: MediaTrack]
  let isRemote: Bool
  /// The longest of them.
  let duration: MediaTime?

  init(_ source: Handoff<any MediaSource>, tracks: [Int: MediaTrack]) {
    self.source = source
    self.tracks = tracks
    isRemote = source.content.isRemote
    duration = source.content.duration
  }

  var shownIDs: [Int: Int] { tracks.mapValues(\.id) }
}

/// The files of sound beside one item.
struct ExternalAudio {
  /// Their tracks, in the order of their coming.
  private(set) var tracks: [MediaTrack] = []
  /// What the demuxer is to take in.
  private var new: [OpenedAudio] = []
  private var durations: [Int: MediaTime] = [:]

  /// The numbers of these tracks begin here: behind those of files of subtitles.
  static let firstID = 2_000_000

  var nextID: Int { Self.firstID + tracks.count }

  mutating func add(_ file: OpenedAudio) {
    let added = file.tracks.values.sorted { $0.id < $1.id }
    tracks += added
    for track in added { durations[track.id] = file.duration }
    new.append(file)
  }

  mutating func takeNew() -> OpenedAudio? { new.isEmpty ? nil : new.removeFirst() }

  /// How long the sound of a track is; nil: not of such a file, or not known.
  func duration(of trackID: Int?) -> MediaTime? { trackID.flatMap { durations[$0] } }
}

extension EngineState {
  /// Takes in an open file. Nil: nobody wants it any more. Its tracks' numbers begin at `externalAudio.nextID`.
  mutating func addAudio(
    _ read: ExternalAudioFile, to item: QueueItem.ID?, selects: Bool, at now: MonotonicTime
  ) -> MediaTrack? {
    guard !isStopping, let entry = shown?.entry ?? openTarget, entry.item.id == item else { return nil }
    let file = read.numbered(from: externalAudio.nextID)
    guard let track = file.tracks.values.min(by: { $0.id < $1.id }) else { return nil }
    externalAudio.add(file)
    entry.adopt(read.interrupt)
    hasAudio = hasAudio || shown != nil
    isChanged = true
    wakes.insert(.demuxer)
    if selects { selectAudio(track.id, at: now) }
    return track
  }

  /// Chooses an audio track, or none; others: nothing.
  mutating func selectAudio(_ id: Int?, at now: MonotonicTime) {
    let isKnown = allTracks.contains { $0.id == id && $0.kind == .audio }
    guard audioTrackID != id || soundWish != nil, id == nil || isKnown else { return }
    soundWish = SoundWish(trackID: id)
    isSoundOff = id == nil
    wakes.insert(.demuxer)
    // It begins with it.
    guard shown != nil else { return }
    setLength(with: id)
    // What was read ahead holds nothing of the new track.
    if id != nil { seek(to: position(at: now), mode: .precise, at: now) }
  }

  /// The film lasts as long as what is heard with it.
  mutating func setLength(with audioTrackID: Int?) {
    guard let own = shown?.duration else { return }
    let length = max(own, externalAudio.duration(of: audioTrackID) ?? own)
    guard length != duration else { return }
    duration = length
    schedule.mediaDuration = length + laps.offset
    if status.status != .opening { isChanged = true }
  }

  /// The demuxer has nothing more for the decoder of pictures, though sound is read on.
  mutating func endPictures(generation: UInt64) {
    guard generation == self.generation, !isStopping, rangeReader == nil else { return }
    picturesHaveEnded = true
    wakes.formUnion([.decoder, .delivery])
  }
}
