import KiteSystem

extension EngineState {
  /// Pictures that end this long before the one that is looked for are not decoded where no other picture needs them. So
  /// long, because a picture of a variable frame rate may itself be shown for a while.
  static let skippingMargin = MediaTime(seconds: 1)
  /// How long a source may look for a place when it is to go to another one already, in nanoseconds.
  private static let seekPatience: Int64 = 500_000_000

  /// Goes to `time`, within the media. Without anything to go to: nothing.
  mutating func seek(to time: MediaTime, mode: SeekMode, at now: MonotonicTime) {
    guard isSeekable != false, !isStopping, status.status != .failed else { return }
    let target = min(max(.zero, time), duration.map { max(.zero, $0) } ?? time)
    apply(.jumped, at: now)
    perform(seeking.request(SeekMachine.Request(time: target, mode: mode), at: now), at: now)
    // The position is where it is going, while it waits for a picture too.
    clock.freeze(at: now)
    clock.set(target, at: now)
    stepsWanted = 0
    isChanged = true
  }

  /// Goes `span` further, or back: from where a seek under way is going.
  mutating func seek(by span: MediaTime, mode: SeekMode, at now: MonotonicTime) {
    seek(to: (seeking.destination ?? position(at: now)) + span, mode: mode, at: now)
  }

  /// Pauses, and shows the picture `count` further, or back.
  mutating func step(by count: Int, at now: MonotonicTime) {
    guard hasVideo, count != 0, !isStopping else { return }
    apply(.pause, at: now)
    guard status.status == .paused || status.status == .ended else { return }
    // Which picture is before that of a seek under way is not known before it is there; it may have been handed over already.
    guard count < 0, !seeking.isSeeking else {
      stepsWanted += count
      wakes.insert(.delivery)
      return
    }
    // What was asked for and is not shown yet counts too.
    let sum = (status.status == .paused ? stepsWanted : 0) + count
    guard sum < 0 else {
      stepsWanted = sum
      return
    }
    stepBack(by: -sum, at: now)
  }

  /// Shows the picture `count` before the one that is shown.
  mutating func stepBack(by count: Int, at now: MonotonicTime) {
    let frame = schedule.frameDuration.nanoseconds
    let base = schedule.lastPTS.map(laps.media) ?? position(at: now)
    // The picture before is the one shown a moment before this one.
    let back = MediaTime(
      nanoseconds: frame.multipliedReportingOverflow(by: Int64(count - 1)).partialValue + 1)
    seek(to: base - back, mode: .precise, at: now)
  }

  mutating func perform(_ action: SeekMachine.Action, at now: MonotonicTime) {
    switch action {
    case .none: break
    case .finish: isChanged = true
    case .jump(let time): jump(to: time, at: now)
    case .refine:
      letGoBeforeAim()
      wakes.insert(.decoder)
    }
  }

  /// The source can't go where it was told: play goes on where it is.
  mutating func refuseSeek(generation: UInt64, at now: MonotonicTime) {
    guard generation == self.generation, !isStopping else { return }
    if isRestarting { return refuseRestart(generation: generation, at: now) }
    seeking.giveUp()
    statistics.refusedSeeks += 1
    isChanged = true
    wakes.insert(.delivery)
  }

  /// A server that stalls must not hold up a jump: what is being read is not wanted any more. A seek that is overtaken goes
  /// on for a while, since seeks that follow each other faster than a network answers would never get anywhere.
  mutating func breakOffCall(at now: MonotonicTime) {
    guard isRemote else { return }
    switch sourceCall {
    case .read: breaksOffCall = true
    case .seek(let since): breaksOffCall = now - since >= Self.seekPatience
    case .open, nil: break
    }
  }

  /// Lets go of frames that are known not to be the one that is looked for: another one comes at or before its time.
  mutating func letGoBeforeAim() {
    guard let aim = seeking.aim else { return }
    while let next = frames.withElement(at: 1, { $0.properties.pts }), next != .unknown, next <= aim {
      _ = frames.popFirst()
      frameOffsets.removeFirst()
      statistics.discardedFrames += 1
      statistics.waitingFrames -= 1
    }
  }

  /// Whether the oldest frame is the one to begin with: the last at or before the aim, which the next one tells.
  var isFirstFrameHere: Bool {
    guard let head = frames.withElement(at: 0, { $0.properties.pts }) else { return false }
    guard let aim = seeking.aim, head != .unknown, head <= aim else { return true }
    return frames.count > 1 || isDecoderDone
  }

  /// Whether `packet` may be passed over on the way to the aim, if no other picture needs it.
  func isOnTheWay(_ packet: any MediaPacket) -> Bool {
    // A lap of a part of the film begins at the keyframe before it.
    if let lap = packet as? LapPacket, let pts = lap.pts, pts < lap.start - Self.skippingMargin {
      return true
    }
    guard let aim = seeking.aim, let pts = packet.pts else { return false }
    // Another one comes that is nearer: this one is not what is looked for.
    return pts < aim - Self.skippingMargin || packets.hasTime(after: pts, upTo: aim)
  }
}
