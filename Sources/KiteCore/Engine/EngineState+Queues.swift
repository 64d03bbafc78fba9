import KiteSystem

/// What the demuxer is to do.
enum DemuxerTask {
  case read(generation: UInt64)
  case seek(to: MediaTime, generation: UInt64)
  /// Go to where the next lap begins, and read on.
  case rewind(to: MediaTime, generation: UInt64)
  /// Open this item, and begin it.
  case open(QueueEntry)
  /// Begin this item.
  case begin(OpenedItem)
  /// Read on in the source of this item, which is open.
  case take(QueueEntry)
  /// Open this item while another one plays.
  case openAhead(QueueEntry)
  /// Let the packets of this item follow.
  case join(OpenedItem, generation: UInt64)
  /// Begin the pictures of this track; nil: none.
  case beginVideo(MediaTrack?)
  /// Read this file beside the item's own source.
  case merge(OpenedAudio, into: QueueEntry)
  /// Begin the sound of this track; nil: none.
  case beginSound(trackID: Int?)
  /// Begin the subtitles of this track; nil, or one of another file: none of this source's.
  case beginSubtitles(trackID: Int?, serial: UInt64)
  case stop
}

/// What the decoder thread is to do when its decoder wants a packet.
enum DecoderTask {
  case decode(any MediaPacket, generation: UInt64, skipsNonReferenceFrames: Bool, restarts: Bool)
  /// The source is at its end: out with what is inside.
  case drain(generation: UInt64)
  /// A lap is over: out with what is inside; then comes what the mark says.
  case endLap(LapMark, generation: UInt64)
  /// Another decoder: what is inside the one before is not wanted.
  case use(Handoff<any VideoDecoder>)
  case stop
}

extension EngineState {
  /// The demuxer's next task; nil: sleep.
  mutating func nextDemuxerTask(at now: MonotonicTime) -> DemuxerTask? {
    // Whatever was broken off is over.
    calledEntry?.clearBreak()
    sourceCall = nil
    breaksOffCall = false
    calledEntry = openTarget ?? reading?.entry
    if isStopping { return .stop }
    if let entry = openTarget { return nextOpeningTask(of: entry, at: now) }
    if let entry = shown?.entry, let file = externalAudio.takeNew() {
      if file.isRemote { isRemote = true }
      return .merge(file, into: entry)
    }
    if let entry = reading?.entry, demuxerEntry !== entry {
      demuxerEntry = entry
      return .take(entry)
    }
    if let wish = videoWish.take() { return .beginVideo(wish.track) }
    if let wish = soundWish {
      soundWish = nil
      return .beginSound(trackID: wish.trackID)
    }
    if joined.isEmpty, let wish = subtitles.wish.take() {
      return .beginSubtitles(trackID: wish.trackID, serial: subtitles.serial)
    }
    if let target = seekTarget {
      seekTarget = nil
      // Without anything to play nothing is read, so that there is nothing to go back for.
      guard hasVideo || sound != nil else { return nil }
      sourceCall = .seek(since: now)
      return .seek(to: target, generation: generation)
    }
    guard case .reading = sourceEnd else { return nil }
    if wantsLap { return nextLapTask(at: now) }
    if joinsNext { return nextJoinTask(at: now) }
    if wantsNextOpened, case .open(let entry) = queue.step() { return .openAhead(entry) }
    guard wantsRead else { return nil }
    sourceCall = .read
    return .read(generation: generation)
  }

  /// Whether the demuxer is to read on. The picture sets the pace; sound that has run out may make it read further, as far
  /// as the picture's queue goes.
  var wantsRead: Bool {
    guard let sound else { return hasVideo && packets.wantsMore }
    guard hasVideo, !picturesHaveEnded else { return soundPackets.wantsMore }
    // Pictures that come far behind their sound are waited for all the same.
    if soundPackets.isFull { return isDecoderStarved && packets.isEmpty }
    return packets.wantsMore || sound.isStarved && !packets.isFull
  }

  /// Takes what the demuxer has read; nil: the end.
  mutating func didRead(_ packet: (any MediaPacket)?, generation: UInt64) {
    guard generation == self.generation, !isStopping else { return }
    if let packet, rangeReader != nil { return didReadInRange(packet) }
    take(packet.map { moved($0) })
  }

  private mutating func take(_ packet: (any MediaPacket)?) {
    if let packet, packet.trackID == sound?.trackID {
      if soundPackets.isFull, soundPackets.byteCount >= Self.hardSoundLimit {
        statistics.skippedPackets += 1
      } else {
        soundPackets.append(packet)
      }
      if sound?.isStarved == true { wakes.insert(.sound) }
    } else if let packet {
      guard hasVideo, packet.trackID == readVideoTrackID else { return }
      if packet.isKeyframe, !packets.isEmpty || statistics.decodedFrames > 0 { hasManyKeyframes = true }
      packets.append(packet)
      if isDecoderStarved { wakes.insert(.decoder) }
    } else {
      endLap()
    }
    if status.status == .buffering { wakes.insert(.delivery) }
  }

  /// The same, while a part of the film is played over and over.
  private mutating func didReadInRange(_ packet: any MediaPacket) {
    guard var reader = rangeReader else { return }
    let isSound = packet.trackID == sound?.trackID
    let taken = isSound ? reader.sound(packet) ? [packet] : [] : reader.picture(packet)
    rangeReader = reader
    for packet in taken { take(moved(packet)) }
    guard !wantsLap, reader.isOver(hasVideo: hasVideo, hasSound: sound != nil) else { return }
    reachRangeEnd(reader.end)
    endLap()
  }

  /// The source can't go back to its start: it stays ended.
  mutating func refuseRestart(generation: UInt64, at now: MonotonicTime) {
    guard generation == self.generation, !isStopping else { return }
    awaitsFirstFrame = false
    isDecoderDone = true
    sourceEnd = .ended
    apply(.restartRefused, at: now)
  }

  /// Reading is over for now.
  mutating func finishReading(_ end: SourceEnd) {
    sourceEnd = end
    wakes.insert(.decoder)
    wakes.insert(.sound)
    if frames.isEmpty { wakes.insert(.delivery) }
  }

  /// The decoder's next task after `contentGeneration` was inside it; nil: sleep.
  mutating func nextDecoderTask(contentGeneration: UInt64, at now: MonotonicTime) -> DecoderTask? {
    if isStopping { return .stop }
    if let handoff = videoDecoder.take() { return .use(handoff) }
    var restarts = contentGeneration != generation
    while let packet = packets.popFirst() {
      if packets.wantsMore { wakes.insert(.demuxer) }
      if let mark = packet as? LapMark {
        isDecoderStarved = false
        return .endLap(mark, generation: generation)
      }
      if catchUp.seeksKeyframe {
        guard isWorthRestart(packet, at: now) else {
          statistics.skippedPackets += 1
          continue
        }
        catchUp.foundKeyframe()
        restarts = true
      }
      if skipsDamage, !packet.isKeyframe, hasManyKeyframes {
        statistics.skippedPackets += 1
        continue
      }
      skipsDamage = false
      isDecoderStarved = false
      return .decode(
        packet, generation: generation,
        skipsNonReferenceFrames: catchUp.skipsNonReferenceFrames || isOnTheWay(packet),
        restarts: restarts)
    }
    if case .reading = sourceEnd, !picturesHaveEnded {
      if !isDecoderStarved {
        isDecoderStarved = true
        if soundPackets.isFull { wakes.insert(.demuxer) }
        if frames.isEmpty { wakes.insert(.delivery) }
      }
      return nil
    }
    isDecoderStarved = false
    return isDecoderDone ? nil : .drain(generation: generation)
  }

  /// Whether a frame of `generation` can be taken in. Those that are not wanted always can.
  func hasRoom(forGeneration generation: UInt64) -> Bool {
    frames.count < roomForFrames || generation != self.generation || isStopping
  }

  /// Takes a frame in, and leaves nil.
  mutating func didDecode(
    _ frame: inout VideoFrame?, generation: UInt64, offset: MediaTime = .zero
  ) {
    guard let taken = frame.take() else { return }
    statistics.decodedFrames += 1
    guard generation == self.generation, !isStopping, hasVideo,
      isInRange(taken.properties.pts, offset: offset), frames.append(taken) == nil
    else {
      statistics.discardedFrames += 1
      return
    }
    statistics.waitingFrames += 1
    frameOffsets.append(offset)
    letGoBeforeAim()
    if awaitsFirstFrame, !isFirstFrameHere { return }
    if frames.count == 1 && !isExpected || awaitsFirstFrame || frames.count == 2 && watchesSuccessor {
      wakes.insert(.delivery)
    }
  }

  /// A packet could not be decoded: a warning. What needs its picture would show traces of it, and is passed over up to the
  /// next keyframe, where there are such. A decoder that has no device any more, and may not do without, ends the playing.
  mutating func didFailToDecode(_ error: MediaError, generation: UInt64, at now: MonotonicTime) {
    if error.kind != .device { statistics.warn(error) }
    switch error.kind {
    case .device: if !isStopping, generation == self.generation { giveUpItem(error, at: now) }
    case .decoding: if generation == self.generation { skipsDamage = true }
    default: decoderError = error
    }
  }

  /// The decoder has given all of its frames.
  mutating func didDrain(generation: UInt64) {
    guard generation == self.generation else { return }
    isDecoderDone = true
    // With frames still waiting it looks again anyway.
    if frames.isEmpty || awaitsFirstFrame { wakes.insert(.delivery) }
  }

  /// Whether decoding may go on at this packet: a keyframe that is not hopelessly late itself.
  private func isWorthRestart(_ packet: any MediaPacket, at now: MonotonicTime) -> Bool {
    guard packet.isKeyframe else { return false }
    guard let pts = packet.pts else { return true }
    return pts >= clock.position(at: now) - MediaTime(nanoseconds: CatchUp.hopelesslyLate)
  }
}
