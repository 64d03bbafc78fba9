import KiteSystem

/// An item that is read already while the one before it still plays.
struct JoinedItem {
  var facts: ItemFacts
  /// The audio track that is read; nil: none.
  var audioTrackID: Int?
  /// Where it begins on the line of the clock.
  var start: MediaTime
  var subtitles: SubtitleState
}

/// One item after the other. Where the next one is like the one before (both with pictures, both with sound), its packets
/// follow those in the queues, and what is played goes on without a gap. Else it is a jump, at the end of the one before.
extension EngineState {
  /// How long before an item's end the next one is opened.
  private static let openingLead = MediaTime(seconds: 10)
  /// No sink has more.
  private static let mostChannels = 8

  /// The item that the demuxer reads.
  var reading: ItemFacts? { joined.last?.facts ?? shown }
  /// The video track that is read.
  var readVideoTrackID: Int? { joined.last.map { $0.facts.video?.id } ?? videoTrackID }
  /// The audio track that belongs to what is shown.
  var audioTrackID: Int? { joined.isEmpty ? sound?.trackID : shownAudioTrackID }
  /// All that is open, is being opened or waits.
  var entries: [QueueEntry] {
    [openTarget, shown?.entry].compactMap { $0 } + joined.map(\.facts.entry) + queue.waiting
  }
  /// What waits behind the item that is shown.
  var waitingItems: [QueueItem] { (joined.map(\.facts.entry) + queue.waiting).map(\.item) }

  /// Adds an item behind the others. False when nothing is going to be played any more.
  mutating func enqueue(_ entry: QueueEntry) -> Bool {
    guard !isStopping, status.status != .failed else { return false }
    let wasLast = queue.isEmpty
    queue.append(entry)
    wakes.formUnion([.demuxer, .delivery])
    if wasLast, !joinsNext { resumeReading() }
    return true
  }

  /// Takes out all that waits. Returns it, to be cancelled.
  mutating func clearQueue(at now: MonotonicTime) -> [QueueEntry] {
    recall(at: now)
    wakes.formUnion([.demuxer, .delivery])
    return queue.removeAll()
  }

  /// What was read ahead of the next items is let go: they wait again, and reading goes on where the picture is.
  mutating func recall(at now: MonotonicTime) {
    guard !joined.isEmpty else { return }
    seek(to: position(at: now), mode: .precise, at: now)
  }

  /// Goes on to the next item at once. False without one.
  mutating func next(at now: MonotonicTime) -> Bool {
    guard !isStopping, status.status != .failed else { return false }
    putBackJoined()
    return switchItem(at: now)
  }

  /// An item can't be played, or not any further. The next one is; or it was the last one.
  mutating func giveUpItem(_ error: MediaError, at now: MonotonicTime) {
    putBackJoined()
    guard !queue.isEmpty else { return fail(error, at: now) }
    pass(over: error)
    _ = switchItem(at: now)
  }

  /// The item is played to its end.
  mutating func endItem(at now: MonotonicTime) {
    if !switchItem(at: now) { apply(.reachedEnd, at: now) }
  }

  mutating func pass(over error: MediaError) {
    itemError = error
    statistics.warn(error)
    isChanged = true
  }

  /// Items that were read ahead wait again.
  mutating func putBackJoined() {
    guard !joined.isEmpty else { return }
    queue.putBack(joined.map(\.facts.entry))
    joined.removeAll()
    if let id = shownAudioTrackID { sound?.trackID = id }
    isRemote = shown?.isRemote ?? false
  }

  /// Begins the next item by a jump. False without one.
  mutating func switchItem(at now: MonotonicTime) -> Bool {
    guard let entry = queue.takeFirst() else { return false }
    if let openTarget { unwanted.append(openTarget) }
    seeking.giveUp()
    apply(.jumped, at: now)
    jump(to: .zero, at: now)
    seekTarget = nil
    stepsWanted = 0
    openTarget = entry
    subject = entry.item.name
    shown = nil
    tracks = []
    duration = nil
    videoError = nil
    isSeekable = nil
    endPosition = nil
    loopRange = nil
    rangeReader = nil
    soundWish = nil
    videoWish = nil
    lastItemError = nil
    subtitles = subtitles.following()
    externalAudio = ExternalAudio()
    isChanged = true
    return true
  }

  // MARK: The demuxer's side

  /// The source is at its end, and the item is not to begin again.
  mutating func endReading(_ end: SourceEnd) {
    guard !queue.isEmpty else { return finishReading(end) }
    if case .failed(let error) = end { pass(over: error) }
    joinsNext = true
  }

  /// What was read to its end, and plays on still, has something behind it now.
  private mutating func resumeReading() {
    guard case .ended = sourceEnd, status.status != .ended, openTarget == nil else { return }
    sourceEnd = .reading
    joinsNext = true
    isDecoderDone = false
    sound?.isDone = false
  }

  /// What there is to do for the item to be begun by a jump; nil: sleep.
  mutating func nextOpeningTask(of entry: QueueEntry, at now: MonotonicTime) -> DemuxerTask? {
    switch queue.opening(of: entry) {
    case .underWay: return nil
    case .notBegun:
      sourceCall = .open
      return .open(entry)
    case .done(.success(let opened)): return .begin(opened)
    case .done(.failure(let error)):
      didFailToOpen(entry, error, at: now)
      return nextDemuxerTask(at: now)
    }
  }

  /// The next item is opened soon, so that it is open when it is needed.
  var wantsNextOpened: Bool {
    guard queue.isUntouched, !isLooping, rangeReader == nil, let reading else { return false }
    guard let duration = reading.duration, let read = reach.latest else { return false }
    return read >= duration - Self.openingLead
  }

  /// What there is to do for the next item, when the one before is read; nil: sleep.
  mutating func nextJoinTask(at now: MonotonicTime) -> DemuxerTask? {
    while true {
      switch queue.step() {
      case .open(let entry): return .openAhead(entry)
      case .wait: return nil
      case .none:
        joinsNext = false
        finishReading(lastItemError.map { .failed($0) } ?? .ended)
        return nil
      case .skip(let error):
        pass(over: error)
        lastItemError = error
      case .ready(let opened):
        lastItemError = nil
        guard isLike(opened.facts) else {
          // It comes by a jump, when this one is over.
          joinsNext = false
          finishReading(.ended)
          return nil
        }
        if soundPackets.isFull {
          // Pictures wait for room that only playing on would make.
          if isDecoderStarved, packets.isEmpty {
            joinsNext = false
            finishReading(.ended)
          }
          return nil
        }
        guard wantsRead else { return nil }
        sourceCall = .seek(since: now)
        calledEntry = opened.entry
        return .join(opened, generation: generation)
      }
    }
  }

  /// Whether an item can follow the one that is read without a jump.
  private func isLike(_ next: ItemFacts) -> Bool {
    guard let reading, next.isSeekable, let length = reach.length, length > .zero else { return false }
    return hasVideo == (next.video != nil) && (sound != nil) == (audio(of: next) != nil)
      && (reading.video != nil) == hasVideo && sinkHolds(audio(of: next))
  }

  /// Whether the sink has a place for each channel of a track: one with more of them is to be heard as it was made.
  private func sinkHolds(_ track: MediaTrack?) -> Bool {
    guard let channels = track?.audioFormat?.channelCount, let sink = sound?.sink else { return true }
    return min(channels, Self.mostChannels) <= sink.format.channelCount
  }

  /// The audio track that an item begins with.
  func audio(of facts: ItemFacts) -> MediaTrack? { isSoundOff ? nil : facts.audio }

  /// The next item's packets follow. False when it is not to be any more.
  mutating func didJoin(
    _ facts: ItemFacts, video: Handoff<any VideoDecoder>?, audio: Handoff<any AudioDecoder>?,
    audioTrackID: Int?, subtitles: SubtitleState, generation: UInt64
  ) -> Bool {
    guard generation == self.generation, !isStopping, joinsNext, queue.waiting.first === facts.entry,
      let length = reach.length
    else { return false }
    _ = queue.takeFirst()
    _ = queue.opening(of: facts.entry)
    joinsNext = false
    if picturesHaveEnded { isDecoderDone = false }
    picturesHaveEnded = false
    if joined.isEmpty { shownAudioTrackID = sound?.trackID }
    let offset = laps.begin(after: length, item: facts.entry.item.id)
    reach = LapReach()
    joined.append(
      JoinedItem(facts: facts, audioTrackID: audioTrackID, start: offset, subtitles: subtitles))
    schedule.mediaDuration = facts.duration.map { $0 + offset }
    isRemote = facts.isRemote
    if let audioTrackID { sound?.trackID = audioTrackID }
    if hasVideo { packets.append(LapMark(offset: offset, video: video)) }
    if sound != nil { soundPackets.append(LapMark(offset: offset, audio: audio)) }
    demuxerEntry = facts.entry
    wakes.formUnion([.decoder, .sound, .delivery])
    return true
  }

  // MARK: The join

  /// When the next item begins to be what is shown; nil: not foreseen.
  func nextJoin() -> MonotonicTime? { joined.first.flatMap { clock.time(of: $0.start) } }

  /// Makes the next item the one that is shown, once the clock is there. Returns whether it did.
  mutating func crossJoin(at now: MonotonicTime) -> Bool {
    guard let join = joined.first,
      clock.position(at: now) >= join.start || clock.time(of: join.start).map({ $0 <= now }) == true
    else { return false }
    joined.removeFirst()
    externalAudio = ExternalAudio()
    show(join.facts)
    shownAudioTrackID = join.audioTrackID
    subtitles = subtitles.followed(by: join.subtitles)
    wakes.formUnion([.demuxer, .lookBack])
    return true
  }

  /// Makes an item the one that is shown.
  mutating func show(_ facts: ItemFacts) {
    shown = facts
    subject = facts.entry.item.name
    laps.item = facts.entry.item.id
    tracks = facts.tracks
    hasAudio = facts.hasAudio || !externalAudio.tracks.isEmpty
    duration = facts.duration
    isSeekable = facts.isSeekable
    videoTrackID = facts.video?.id
    videoError = facts.videoError
    endPosition = nil
    loopRange = nil
    if let rate = facts.video?.frameRate, rate > 0, rate.isFinite {
      schedule.usualDuration = max(MediaTime(nanoseconds: 1), MediaTime(seconds: 1 / rate))
    }
    if status.status != .opening { isChanged = true }
  }
}
