import KiteSystem

extension EngineState {
  /// Jumps in a track's times up to this are gaps and overlaps; larger ones, another time line.
  private static let soundGap = MediaTime(seconds: 10)
  private static let soundOverlap = MediaTime(seconds: 1)
  /// Smaller ones are rounding.
  private static let soundTolerance = MediaTime(nanoseconds: 15_000_000)
  /// Longer than a packet of any usual codec, in nanoseconds.
  private static let lapTolerance: Int64 = 150_000_000

  /// Begins a sound; returns its number, which its thread shows.
  mutating func beginSound(_ new: SoundState) -> UInt64 {
    soundSerial += 1
    soundPackets.removeAll()
    sound = new
    sound?.serial = soundSerial
    new.sink.setVolume(volume.gain)
    isChanged = status.status != .opening
    return soundSerial
  }

  /// Ends the sound; its thread ends with it, and closes the sink.
  mutating func endSound(at now: MonotonicTime) {
    guard sound != nil else { return }
    if sound?.sync.holdsClock == true { startWithoutSound(at: now) }
    sound?.setRunning(false)
    sound = nil
    clock.setRate(rate, at: now)
    isChanged = status.status != .opening
    wakes.insert(.sound)
  }

  /// Changes the speed; what is heard follows when the samples made for it are.
  mutating func setRate(_ newRate: Double, at now: MonotonicTime) {
    rate = newRate
    isChanged = true
    wakes.formUnion([.delivery, .sound])
    if sound == nil || isSoundOver(at: now) || sound?.sync.mode == .silent {
      clock.setRate(newRate, at: now)
      subtitles.scene?.clockChanged()
    }
  }

  // MARK: The clock

  /// Lets the clock run, as soon as the sound does.
  mutating func startClock(at now: MonotonicTime) {
    catchUp.clockWasSet()
    wakes.insert(.sound)
    let sinkStatus = sound?.sink.status ?? .unavailable
    if !isSoundOver(at: now), sound?.sync.start(status: sinkStatus, at: now) == true {
      sound?.setRunning(false)
      return
    }
    clock.setRate(rate, at: now)
    clock.start(at: now)
    subtitles.scene?.clockChanged()
    sound?.setRunning(true)
  }

  /// Holds clock and sound.
  mutating func freezeClock(at now: MonotonicTime) {
    clock.freeze(at: now)
    sound?.sync.stop()
    sound?.setRunning(false)
    wakes.insert(.sound)
  }

  /// What was written is no longer to be heard.
  mutating func discardSound() {
    soundPackets.removeAll()
    sound?.isDone = false
    sound?.isStarved = false
    sound?.sync.stop()
    sound?.setRunning(false)
    sound?.flush()
  }

  /// Nothing more is going to be heard in this generation.
  private func isSoundOver(at now: MonotonicTime) -> Bool {
    guard let sound else { return true }
    return sound.isDone && sound.sync.next.map { $0 <= clock.position(at: now) } ?? true
  }

  /// Where the sound that was written ends; nil: nowhere yet.
  var soundEnd: MediaTime? { sound?.sync.next }

  // MARK: The thread's turns

  /// The sound thread's next task; `head` is what it holds.
  mutating func nextSound(_ head: SoundHead?, serial: UInt64, at now: MonotonicTime) -> Turn<SoundTask> {
    if isStopping || sound?.serial != serial { return .done(.stop) }
    syncSound(at: now)
    if let decoder = sound?.decoder.take() { return .done(.use(decoder)) }
    guard let head else { return nextSoundPacket(at: now) }
    if head.generation != generation { return .done(.drop) }
    var limit = Int.max
    if let cut = cutOfRange(head) {
      if cut.skipped >= head.frameCount || cut.limit == 0 { return .done(.drop) }
      if cut.skipped > 0 { return .done(.skip(cut.skipped)) }
      limit = cut.limit
    }
    // Where it is to begin is known when the first picture is there.
    if awaitsFirstFrame { return .sleep(until: nil) }
    guard let sound else { return .done(.stop) }
    if sound.sync.mode == .silent, clock.isRunning {
      let end = head.pts + sound.sync.span(ofFrames: Int64(head.frameCount), rate: head.rate)
      if head.pts == .unknown || end <= clock.position(at: now) { return .done(.drop) }
      return .sleep(until: earliest(clock.time(of: end), now + SoundSync.checkInterval))
    }
    if sound.isFull {
      self.sound?.isFull = false
      if letSoundBegin(at: now) { return .sleep(until: now + SoundSync.pollInterval) }
      guard sound.isRunning else { return .sleep(until: nil) }
      return .sleep(until: earliest(now + SoundSync.checkInterval, soundLook(at: now)))
    }
    let task = place(head, sound.sync, at: now)
    if limit < .max, case .write(let skipped, _, let media) = task {
      return .done(skipped >= limit ? .drop : .write(skipping: skipped, limit: limit - skipped, media: media))
    }
    return .done(task)
  }

  /// The sink took `taken` of `offered` frames, which began at `media`.
  mutating func didWriteSound(
    taken: Int, of offered: Int, at media: MediaTime, rate: Double, generation: UInt64, serial: UInt64
  ) {
    guard sound?.serial == serial else { return }
    guard generation == self.generation else {
      // A jump came between: what was written is not wanted, but it has its numbers.
      sound?.sync.wrote(taken, at: media, rate: rate)
      sound?.flush()
      return
    }
    sound?.sync.wrote(taken, at: media, rate: rate)
    sound?.isFull = taken < offered
  }

  /// The decoder has given all of its samples.
  mutating func didDrainSound(generation: UInt64, at now: MonotonicTime) {
    guard generation == self.generation else { return }
    sound?.isDone = true
    if !letSoundBegin(at: now), isSoundOver(at: now), let sync = sound?.sync, sync.holdsClock {
      startWithoutSound(at: now)
    }
    wakes.insert(.delivery)
  }

  /// Where `head` goes.
  private mutating func place(_ head: SoundHead, _ sync: SoundSync, at now: MonotonicTime) -> SoundTask {
    let position = clock.position(at: now)
    var next = sync.next
    if sync.isLate(clock: clock, at: now) {
      sound?.setRunning(false)
      sound?.flush()
      sound?.sync.join(at: now)
      next = nil
    }
    let isJoining = next == nil
    let latency =
      clock.isRunning ? MediaTime(seconds: Double(SoundSync.usualLatency) / 1e9 * clock.rate) : .zero
    let target = next ?? position + latency
    if head.pts == .unknown { return .write(skipping: 0, media: target) }
    let gap = head.pts - target
    // Music goes on at once, though the last packet of what is over was not as long as those before it.
    if head.beginsLap, !hasVideo, !isJoining, abs(gap.nanoseconds) <= Self.lapTolerance {
      return .write(skipping: 0, media: head.pts)
    }
    if gap > Self.soundTolerance, isJoining || gap <= Self.soundGap {
      let frames = min(sync.frames(from: target, to: head.pts, rate: head.rate), sync.sampleRate / 10)
      return .writeSilence(frames: max(1, frames), media: target, rate: head.rate)
    }
    if gap < .zero - Self.soundTolerance || isJoining && gap < .zero,
      isJoining || gap >= .zero - Self.soundOverlap
    {
      let skipped = sync.frames(from: head.pts, to: target, rate: head.rate)
      return skipped >= head.frameCount ? .drop : .write(skipping: skipped, media: target)
    }
    return .write(skipping: 0, media: head.pts)
  }

  private mutating func nextSoundPacket(at now: MonotonicTime) -> Turn<SoundTask> {
    guard let sound else { return .done(.stop) }
    let restarts = sound.contentGeneration != generation
    if let packet = soundPackets.popFirst() {
      self.sound?.isStarved = false
      self.sound?.contentGeneration = generation
      if wantsRead || wantsLap || joinsNext { wakes.insert(.demuxer) }
      if let mark = packet as? LapMark {
        return .done(.endLap(mark, generation: generation))
      }
      return .done(.decode(packet, generation: generation, restarts: restarts, rate: rate))
    }
    if case .reading = sourceEnd {
      if !sound.isStarved {
        self.sound?.isStarved = true
        wakes.insert(.demuxer)
      }
      if !hasVideo { waitForSound(at: now) }
      // Far ahead of the position there is none.
      if !wantsRead, sound.sync.holdsClock, sound.sync.next == nil { startWithoutSound(at: now) }
      return .sleep(until: soundLook(at: now))
    }
    self.sound?.isStarved = false
    if sound.isDone {
      _ = letSoundBegin(at: now)
      return .sleep(until: soundLook(at: now))
    }
    self.sound?.contentGeneration = generation
    return .done(.drain(generation: generation, rate: rate))
  }

  /// Sound alone that has run out, because the source is slow: the clock waits with it.
  private mutating func waitForSound(at now: MonotonicTime) {
    guard status.status == .playing, clock.isRunning, let end = soundEnd else { return }
    let position = clock.position(at: now)
    guard (position - end).nanoseconds >= Self.starvationGrace else { return }
    apply(.starved, at: now)
    clock.set(min(position, end), at: now)
    isChanged = true
  }
}
