import KiteSystem

/// What the delivery thread is to do.
enum Delivery: ~Copyable {
  /// Hand the frame to the renderer.
  case frame(VideoFrame, target: MonotonicTime, generation: UInt64)
  /// Show these subtitles: another item is shown.
  case subtitles(SubtitleScene?, serial: UInt64)
  /// Take back what the renderer has of this generation: the clock does not say any more what it said.
  case recall(generation: UInt64)
  case stop
}

extension EngineState {
  /// A source may be this late before it counts as slow: jitter is no reason to stop the clock.
  static let starvationGrace = 100_000_000 as Int64

  /// Decides what is due at `now`.
  mutating func nextDelivery(at now: MonotonicTime) -> Turn<Delivery> {
    if isStopping { return .done(.stop) }
    if handover.isOff(clock, at: now) { return .done(.recall(generation: generation)) }
    if crossJoin(at: now) { return .done(.subtitles(subtitles.scene, serial: subtitles.serial)) }
    let turn = nextPicture(at: now)
    guard let join = nextJoin() else { return turn }
    switch consume turn {
    case .done(let delivery): return .done(delivery)
    case .sleep(let time): return .sleep(until: time.map { min($0, join) } ?? join)
    }
  }

  private mutating func nextPicture(at now: MonotonicTime) -> Turn<Delivery> {
    watchesSuccessor = false
    handover.expected = nil
    if openTarget != nil { return openingDelivery(at: now) }
    if awaitsFirstFrame { return firstDelivery(at: now) }
    if status.status == .buffering {
      guard isRefilled else { return .sleep(until: nil) }
      apply(.refilled, at: now)
    }
    guard status.status == .playing else { return stepDelivery(at: now) }
    // It starts with the sound.
    guard clock.isRunning else { return .sleep(until: nil) }
    while let head = timing(ofFrame: 0) {
      let before = schedule
      let lead = handover.isUnderWay ? leads.earliest : leads.wanted
      let verdict = schedule.next(head, successor: timing(ofFrame: 1), at: now, lead: lead, clock: &clock)
      switch verdict {
      case .wait where handover.isUnderWay:
        // Enough for now; when is the next one wanted?
        endHandover()
      case .wait(let time, let watches):
        watchesSuccessor = watches
        return .sleep(until: time)
      case .drop(let target):
        note(lateness: now - target)
        statistics.droppedFrames += 1
        statistics.waitingFrames -= 1
        _ = takeFrame()
      case .deliver(let target):
        note(lateness: now - target)
        handover.isUnderWay = leads.earliest > leads.wanted
        let offset = frameOffsets.first ?? .zero
        guard let frame = takeFrame() else { break }
        handover.append(target: target, media: schedule.start, offset: offset, before: before, at: now)
        return .done(.frame(frame, target: target, generation: generation))
      }
    }
    endHandover()
    return emptyDelivery(at: now)
  }

  /// Accounts for a frame that was handed over, or was refused because it came from before a jump.
  mutating func delivered(
    generation: UInt64, size: PixelSize, wasAccepted: Bool, leads: RendererLine.Leads,
    at now: MonotonicTime
  ) {
    self.leads = leads
    statistics.waitingFrames -= 1
    guard wasAccepted, generation == self.generation, !isStopping else {
      statistics.discardedFrames += 1
      return
    }
    statistics.deliveredFrames += 1
    if videoSize != size {
      videoSize = size
      isChanged = status.status != .opening
    }
    guard awaitsFirstFrame else { return }
    let action = seeking.shown(at: now)
    perform(action, at: now)
    switch action {
    case .jump, .refine: break
    case .none, .finish: becomeReady(at: now)
    }
  }

  /// The item is open, and what it holds is known. False when it is not to be played any more.
  @discardableResult
  mutating func didOpen(_ facts: ItemFacts, at now: MonotonicTime) -> Bool {
    guard openTarget === facts.entry, !isStopping else { return false }
    openTarget = nil
    show(facts)
    setLength(with: soundWish?.trackID)
    demuxerEntry = facts.entry
    laps.reset()
    isRemote = facts.isRemote
    if !facts.isSeekable, seeking.isSeeking {
      // Asked for before this was known.
      seeking.giveUp()
      seekTarget = nil
      clock.set(.zero, at: now)
    }
    hasVideo = facts.video != nil
    hasManyKeyframes = false
    isBeginning = true
    generationStart = now
    schedule.mediaDuration = duration
    wakes = .all
    return true
  }

  /// It can't be opened: the next one is, if there is one.
  mutating func didFailToOpen(_ entry: QueueEntry, _ error: MediaError, at now: MonotonicTime) {
    guard openTarget === entry, !isStopping else { return }
    giveUpItem(error, at: now)
  }

  /// Opening, or a jump, is over.
  mutating func becomeReady(at now: MonotonicTime) {
    isBeginning = false
    awaitsFirstFrame = false
    wakes.insert(.sound)
    apply(.ready, at: now)
    // The picture may be one that stays, and the position in the middle of it.
    subtitles.scene?.clockChanged()
    if openingResult == nil { openingResult = .success(()) }
  }

  /// Gives up, with everything told.
  mutating func fail(_ error: MediaError, at now: MonotonicTime) {
    apply(.failed(error), at: now)
    if openingResult == nil { openingResult = .failure(error) }
  }

  /// The next item is not open yet: that is a wait like any other, once it lasts.
  private mutating func openingDelivery(at now: MonotonicTime) -> Turn<Delivery> {
    guard status.status == .playing else { return .sleep(until: nil) }
    let deadline = generationStart.advanced(by: Self.starvationGrace)
    if deadline > now { return .sleep(until: deadline) }
    apply(.starved, at: now)
    return .sleep(until: nil)
  }

  private mutating func firstDelivery(at now: MonotonicTime) -> Turn<Delivery> {
    perform(seeking.tick(now), at: now)
    if isFirstFrameHere, let timing = timing(ofFrame: 0), let frame = takeFrame() {
      let start = schedule.begin(with: timing)
      // What was to be the first picture is the next item's.
      if isBeginning, let join = joined.first, start >= join.start { pass(over: noPicture) }
      // A picture that was looked for is in the middle of its time.
      let place = seeking.aim.map { max($0, start) } ?? start
      // One that was overtaken shows any picture, but the position is where the next one goes.
      clock.set(seeking.deadline == nil ? place : seeking.destination ?? place, at: now)
      return .done(.frame(frame, target: now, generation: generation))
    }
    if !hasVideo {
      perform(seeking.isSeeking ? .finish : .none, at: now)
      seeking.giveUp()
      becomeReady(at: now)
      return nextDelivery(at: now)
    }
    if isDecoderDone {
      endWithoutFrame(at: now)
      return isStopping ? .done(.stop) : nextDelivery(at: now)
    }
    guard status.status == .playing, isStarved else { return .sleep(until: seeking.deadline) }
    let deadline = generationStart.advanced(by: Self.starvationGrace)
    guard deadline <= now else { return .sleep(until: min(deadline, seeking.deadline ?? deadline)) }
    apply(.starved, at: now)
    return .sleep(until: seeking.deadline)
  }

  /// Not playing: frames go out only one by one, as asked for.
  private mutating func stepDelivery(at now: MonotonicTime) -> Turn<Delivery> {
    guard status.status == .paused, stepsWanted != 0 else { return .sleep(until: nil) }
    if stepsWanted < 0 {
      let count = -stepsWanted
      stepsWanted = 0
      stepBack(by: count, at: now)
      return awaitsFirstFrame ? firstDelivery(at: now) : .sleep(until: nil)
    }
    guard let timing = timing(ofFrame: 0), let frame = takeFrame() else {
      // The last picture is shown: there is none to step to.
      if isDecoderDone { stepsWanted = 0 }
      return .sleep(until: nil)
    }
    stepsWanted -= 1
    clock.set(schedule.begin(with: timing), at: now)
    sound?.flush()
    wakes.insert(.sound)
    isChanged = true
    return .done(.frame(frame, target: now, generation: generation))
  }

  /// The source is at its end, or broken, and no picture came of it.
  private mutating func endWithoutFrame(at now: MonotonicTime) {
    if case .failed(let error) = sourceEnd {
      giveUpItem(error, at: now)
    } else if !isBeginning {
      awaitsFirstFrame = false
      seeking.giveUp()
      endItem(at: now)
    } else {
      let error = decoderError ?? noPicture
      guard hasAudio else { return giveUpItem(error, at: now) }
      hasVideo = false
      videoError = error
      statistics.warn(error)
      becomeReady(at: now)
    }
  }

  private var noPicture: MediaError {
    let codec = tracks.first { $0.kind == .video }?.codec ?? "its"
    return MediaError(
      kind: .decoding, subject: subject, reason: "no picture of \(codec) video could be decoded",
      advice: "It is damaged or incomplete. Copy or download it again.")
  }

  /// Playing, and no frame waits.
  private mutating func emptyDelivery(at now: MonotonicTime) -> Turn<Delivery> {
    if isDecoderDone || !hasVideo {
      // The film begins again.
      if wantsLap || joinsNext { return .sleep(until: nil) }
      guard let end = clock.time(of: mediaEnd ?? MediaTime(nanoseconds: .max)), mediaEnd != nil else {
        return .sleep(until: nil)
      }
      guard end <= now else { return .sleep(until: end) }
      if case .failed(let error) = sourceEnd {
        giveUpItem(error, at: now)
      } else {
        endItem(at: now)
      }
      return isStopping ? .done(.stop) : openTarget == nil ? .sleep(until: nil) : nextPicture(at: now)
    }
    guard let end = schedule.end, let due = clock.time(of: end) else { return .sleep(until: nil) }
    let wanted = due.advanced(by: -leads.wanted)
    if wanted > now {
      // Its coming need not wake this thread, unless it is for an earlier time.
      handover.expected = wanted
      return .sleep(until: wanted)
    }
    guard isStarved else { return .sleep(until: nil) }
    let deadline = due.advanced(by: Self.starvationGrace)
    guard deadline <= now else { return .sleep(until: deadline) }
    apply(.starved, at: now)
    // The picture stood still since its end, and so did the media.
    clock.set(min(clock.position(at: now), end), at: now)
    isChanged = true
    return .sleep(until: nil)
  }

  /// Where playing ends: with the last frame; with sound also not before the media's length is over, since a picture may
  /// be shorter than its music. A broken source ends where it broke. Nil when nobody knows.
  private var mediaEnd: MediaTime? {
    if case .failed = sourceEnd, hasVideo { return schedule.end }
    let duration = (joined.isEmpty ? duration : reading?.duration).map { $0 + laps.offset }
    guard hasVideo, let end = schedule.end else {
      return duration ?? (sound?.isDone == true ? soundEnd : nil)
    }
    return hasAudio ? max(end, duration ?? end) : end
  }

  /// The source is slow: a decoder that is merely slow is not starved, nor is one that looks for a keyframe.
  private var isStarved: Bool {
    guard case .reading = sourceEnd, !picturesHaveEnded else { return false }
    return isDecoderStarved && packets.isEmpty && !catchUp.seeksKeyframe
  }

  private var isRefilled: Bool {
    guard case .reading = sourceEnd else { return true }
    guard hasVideo else { return soundPackets.isRefilled }
    return !frames.isEmpty && (packets.isRefilled || soundPackets.isFull)
  }
}
