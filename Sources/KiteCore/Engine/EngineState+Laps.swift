import KiteSystem

/// How far the media of one lap was read, by kind of track.
struct LapReach {
  private var picture: MediaTime?
  private var sound: MediaTime?
  private var soundStep = MediaTime.zero

  /// A sound that is longer by less than this is no longer: its packets just don't end with the pictures.
  private static let tolerance = MediaTime(nanoseconds: 100_000_000)

  mutating func readPicture(at pts: MediaTime?, duration: MediaTime) {
    if let pts { picture = max(picture ?? .zero, pts + duration) }
  }

  mutating func readSound(at pts: MediaTime?) {
    guard let pts else { return }
    if let sound, pts > sound { soundStep = pts - sound }
    sound = max(sound ?? pts, pts)
  }

  /// What comes before `end` was read, though no packet ends there.
  mutating func extend(to end: MediaTime) {
    picture = max(picture ?? end, end)
  }

  /// The latest time that was read; nil: none.
  var latest: MediaTime? {
    guard let picture, let sound else { return picture ?? sound }
    return max(picture, sound)
  }

  /// How long the lap is; nil: it has no times.
  var length: MediaTime? {
    let soundEnd = sound.map { $0 + soundStep }
    guard let picture else { return soundEnd }
    guard let soundEnd, soundEnd > picture + Self.tolerance else { return picture }
    return soundEnd
  }
}

/// Playing a film over and over: at its end the demuxer goes to its start and reads on. What it reads is moved on the line
/// of the clock, so that neither picture nor sound notice.
extension EngineState {
  mutating func setLooping(_ value: Bool, at now: MonotonicTime) {
    isLooping = value
    isChanged = true
    wakes = .all
    if value { recall(at: now) }
    guard value else {
      if wantsLap { endReading(.ended) }
      wantsLap = false
      return
    }
    // It was read to its end, and plays on still.
    guard case .ended = sourceEnd, canBeginLap, status.status != .ended else { return }
    sourceEnd = .reading
    joinsNext = false
    wantsLap = true
    isDecoderDone = false
    sound?.isDone = false
  }

  private var canBeginLap: Bool {
    guard isLooping || rangeReader != nil, isSeekable == true, !isStopping, let end = lapEnd else {
      return false
    }
    return end > lapBegin
  }

  /// The media time at which laps begin.
  var lapBegin: MediaTime { rangeReader == nil ? .zero : loopRange?.lowerBound ?? .zero }

  /// The media time at which the lap that is read ends, with its file or before; nil: unknown.
  private var lapEnd: MediaTime? {
    guard let length = reach.length, let end = rangeReader?.end else { return reach.length }
    return min(length, end)
  }

  /// A packet at its place on the line.
  mutating func moved(_ packet: any MediaPacket) -> any MediaPacket {
    if packet.trackID == sound?.trackID {
      reach.readSound(at: packet.pts)
    } else {
      reach.readPicture(at: packet.pts, duration: schedule.usualDuration)
    }
    return laps.offset == .zero ? packet : LapPacket(packet, offset: laps.offset, start: laps.start)
  }

  /// The source is at its end.
  mutating func endLap() {
    if canBeginLap { wantsLap = true } else { endReading(.ended) }
  }

  /// The next lap is begun as soon as its first packets would be read.
  mutating func nextLapTask(at now: MonotonicTime) -> DemuxerTask? {
    if soundPackets.isFull {
      // Pictures wait for room that only playing on would make.
      if isDecoderStarved, packets.isEmpty { finishReading(.ended) }
      return nil
    }
    guard wantsRead else { return nil }
    sourceCall = .seek(since: now)
    return .rewind(to: lapBegin, generation: generation)
  }

  /// The source is at its start again.
  mutating func didRewind(generation: UInt64) {
    guard generation == self.generation, !isStopping, wantsLap, let end = lapEnd else { return }
    wantsLap = false
    if picturesHaveEnded { isDecoderDone = false }
    picturesHaveEnded = false
    let offset = laps.begin(after: end, at: lapBegin)
    reach = LapReach()
    rangeReader = rangeReader.map { LoopRangeReader(end: $0.end) }
    schedule.mediaDuration = duration.map { $0 + offset }
    if hasVideo { packets.append(LapMark(offset: offset)) }
    if sound != nil { soundPackets.append(LapMark(offset: offset)) }
    wakes.formUnion([.decoder, .sound, .delivery])
  }

  /// It can't go there: then it ends.
  mutating func didFailToRewind(generation: UInt64) {
    guard generation == self.generation, wantsLap else { return }
    wantsLap = false
    endReading(.ended)
    wakes.insert(.delivery)
  }
}
