import Glibc
import KiteSystem

/// All that the threads of one open item share. Changes only under the engine's lock, and knows no threads: what is to
/// be woken or told is noted in `wakes` and `isChanged`.
struct EngineState: ~Copyable {
  /// Where the source is.
  enum SourceEnd {
    case reading
    case ended
    case failed(MediaError)
  }

  /// Bytes of sound that are read ahead: 4 s at 256 kbit/s.
  private static let soundByteLimit = 128 << 10
  /// Bytes of sound that lie beside the pictures read ahead: 1.7 s of the largest that is usual, 7.1 at 96 kHz and 24 bits.
  private static let mostSoundBytes = 4 << 20
  /// Bytes of sound that are kept where a file has all of its sound before its pictures.
  static let hardSoundLimit = 16 << 20

  /// A call of the source that takes as long as a network does.
  enum SourceCall {
    case read
    case seek(since: MonotonicTime)
    case open
  }

  /// What errors are about: the location of the item.
  var subject: String

  var status: StatusMachine
  var clock = PlaybackClock()
  var schedule = FrameSchedule()
  var catchUp = CatchUp()
  var seeking = SeekMachine()
  /// Pictures that are still to be shown one by one, while paused.
  var stepsWanted = 0

  var packets: PacketQueue
  /// Frames that wait. There is room for those that are taken back, beyond the limit.
  var frames: RingBuffer<VideoFrame>
  let frameLimit: Int
  var statistics = PlaybackStatistics()

  var tracks: [MediaTrack] = []
  var duration: MediaTime?
  var hasVideo = false
  var hasAudio = false
  var videoSize: PixelSize?
  /// The sound that is played; nil: none.
  var sound: SoundState?
  var soundPackets: PacketQueue
  var videoTrackID: Int?
  /// Grows with every sound that is begun, and so tells its thread apart.
  var soundSerial: UInt64 = 0
  /// The video track that is to be shown next; nil: as it is.
  var videoWish: VideoWish?
  /// The audio track that is to be played next; nil: as it is.
  var soundWish: SoundWish?
  /// Media seconds a second, as asked for; the clock's own rate follows where the sound made for it is heard.
  var rate = 1.0
  var volume = Volume()
  /// Whether the source can be sent elsewhere; nil until it is open.
  var isSeekable: Bool?
  /// The jump under way is to the start, because playing was asked for at the end.
  var isRestarting = false
  var subtitles = SubtitleState()
  var externalAudio = ExternalAudio()
  /// End the opening of other files that is under way.
  var fileReads: [InterruptFlag] = []
  /// Why the sound plays alone.
  var videoError: MediaError?

  /// What is to be opened, and begun by a jump; nil: what is to be played is open.
  var openTarget: QueueEntry?
  /// The item that the status, the position and the tracks are about; nil while it is being opened.
  var shown: ItemFacts?
  /// Items that nobody wants any more, though somebody may be opening them.
  var unwanted: [QueueEntry] = []
  /// Nothing of the shown item has been shown yet.
  var isBeginning = true
  /// Items that are read already, though the clock is not there yet.
  var joined: [JoinedItem] = []
  /// What waits behind those.
  var queue = ItemQueue()
  /// The source is at its end, and the next item is to follow.
  var joinsNext = false
  /// The item whose source the demuxer has in hand.
  var demuxerEntry: QueueEntry?
  /// The audio track of the shown item, while another one is read.
  var shownAudioTrackID: Int?
  /// Somebody wants no sound, of this item and of those behind it.
  var isSoundOff = false
  /// Why an item was passed over.
  var itemError: MediaError?
  /// The same, of the item that would be the last one.
  var lastItemError: MediaError?
  /// Decodes the pictures from now on.
  var videoDecoder: Handoff<any VideoDecoder>?

  /// Behind its end the film begins again.
  var isLooping = false
  /// The part of the item that is played over and over; nil: all of it.
  var loopRange: Range<MediaTime>?
  /// Looks for its end; nil where it was passed by, and without one.
  var rangeReader: LoopRangeReader?
  /// The source is at its end, and is to go to its start.
  var wantsLap = false
  var laps = Laps()
  /// How far the media of this lap was read.
  var reach = LapReach()
  /// What the times of the waiting frames are moved by.
  var frameOffsets: [MediaTime] = []

  /// The position at which it ended last.
  var endPosition: MediaTime?

  /// Grows with every jump. What the threads bring from before the jump is let go.
  var generation: UInt64 = 0
  /// Where the demuxer is to go before it reads on.
  var seekTarget: MediaTime?
  var sourceEnd = SourceEnd.reading
  /// The same of its pictures alone, while sound is read on.
  var picturesHaveEnded = false
  /// The call of the source that the demuxer is in; nil: none that may be broken off.
  var sourceCall: SourceCall?
  /// The item whose source that call is of.
  var calledEntry: QueueEntry?
  /// The source's bytes come over a network.
  var isRemote = false
  /// What the source is in is not wanted any more: it is to return at once.
  var breaksOffCall = false
  /// The decoder waits for a packet, and there is none.
  var isDecoderStarved = false
  /// The decoder has given all that the source had.
  var isDecoderDone = false
  /// The first frame of this generation has not been handed over: it is, at once, also while paused.
  var awaitsFirstFrame = true
  /// The oldest waiting frame may have a wrong time; the next one tells.
  var watchesSuccessor = false
  /// Keyframes have come after the first one, so that there will be more.
  var hasManyKeyframes = false
  /// A packet was damaged: decoding goes on at a keyframe.
  var skipsDamage = false
  /// What the decoder said last that was not damage.
  var decoderError: MediaError?
  /// When this generation began, for the wait before `buffering`.
  var generationStart = MonotonicTime.distantPast
  /// How long before its target the renderer wants a frame, and how long before it takes one.
  var leads = RendererLine.Leads()
  /// The frames that the renderer has and that are not due.
  var handover = Handover()

  /// The item is closed or has failed: threads end at their next turn.
  var isStopping = false
  var threads = 0
  var hasDecoderThread = false
  var threadIDs: [pthread_t] = []
  var waiters: [CheckedContinuation<Result<Void, MediaError>, Never>] = []
  /// Set by the first end of the opening; waiters that come later get it at once.
  var openingResult: Result<Void, MediaError>?

  /// The status that the log knows.
  var loggedStatus = PlaybackStatus.opening

  var wakes: Sleepers = []
  var isChanged = false

  init(entry: QueueEntry, configuration: PlayerConfiguration, wantsPlay: Bool) {
    openTarget = entry
    subject = entry.item.name
    status = StatusMachine(wantsPlay: wantsPlay)
    let refill = PacketQueue.Refill(
      span: configuration.bufferingSpan, byteCount: max(1, configuration.bufferingByteCount))
    packets = PacketQueue(byteLimit: configuration.packetByteLimit, refill: refill)
    soundPackets = PacketQueue(
      byteLimit: Self.soundByteLimit, mostBytes: Self.mostSoundBytes, countLimit: 4096, refill: refill)
    frameLimit = max(1, configuration.frameLimit)
    frames = RingBuffer(capacity: frameLimit + Handover.limit)
  }

  /// What the player says of itself, but for the version.
  func snapshot(at now: MonotonicTime) -> PlayerState {
    var state = PlayerState()
    state.status = status.status
    state.item = (openTarget ?? shown?.entry)?.item
    state.itemError = itemError
    state.position = position(at: now)
    state.duration = duration
    state.videoSize = videoSize
    state.hasAudio = hasAudio
    state.rate = rate
    state.isLooping = isLooping
    state.loopRange = loopRange
    state.videoTrackID = hasVideo ? videoTrackID : nil
    state.audioTrackID = audioTrackID
    volume.tell(&state)
    subtitles.tell(&state)
    state.isSeekable = isSeekable ?? false
    state.isSeeking = seeking.isSeeking
    state.error = status.error
    state.videoError = videoError
    return state
  }

  /// The position, within the media.
  func position(at now: MonotonicTime) -> MediaTime {
    let position = max(.zero, laps.media(at: clock.position(at: now)))
    return duration.map { min(position, max(.zero, $0)) } ?? position
  }

  /// Tells the status machine, and does what it says.
  mutating func apply(_ event: StatusMachine.Event, at now: MonotonicTime) {
    let before = status.status
    let action = status.event(event)
    if status.status != before { isChanged = true }
    switch action {
    case .none:
      return
    case .startClock:
      startClock(at: now)
    case .freezeClock:
      freezeClock(at: now)
    case .stopAtEnd:
      freezeClock(at: now)
      endPosition = duration ?? schedule.end.map(laps.media) ?? endPosition
      laps.reset()
      clock.set(endPosition ?? clock.position(at: now), at: now)
    case .restart:
      seeking.giveUp()
      // Behind the end there is more.
      if switchItem(at: now) { break }
      jump(to: .zero, at: now)
      isRestarting = true
    case .giveUp:
      freezeClock(at: now)
      stop()
    }
    wakes.insert(.delivery)
  }

  /// Begins a new generation at `time`: everything on its way is let go, and the clock waits for the first frame.
  mutating func jump(to time: MediaTime, at now: MonotonicTime) {
    generation += 1
    generationStart = now
    seekTarget = time
    breakOffCall(at: now)
    isRestarting = false
    sourceEnd = .reading
    picturesHaveEnded = false
    isDecoderDone = false
    isDecoderStarved = false
    skipsDamage = false
    decoderError = nil
    wantsLap = false
    joinsNext = false
    putBackJoined()
    laps.reset()
    beginRange(at: time)
    reach = LapReach()
    schedule.mediaDuration = duration
    awaitsFirstFrame = true
    discardQueues()
    schedule.reset()
    catchUp.clockWasSet()
    clock.freeze(at: now)
    clock.set(time, at: now)
    wakes = .all
  }

  /// Lets everything go and makes the threads end.
  mutating func stop() {
    isStopping = true
    for read in fileReads { read.set() }
    discardQueues()
    wakes = .all
  }

  private mutating func discardQueues() {
    packets.removeAll()
    letGoOfFrames()
    discardSound()
  }

  /// No frame that waits is wanted.
  mutating func letGoOfFrames() {
    statistics.discardedFrames += frames.count
    statistics.waitingFrames -= frames.count
    frames.removeAll()
    frameOffsets.removeAll()
    handover.forget()
    watchesSuccessor = false
  }
}
