import KiteSystem

extension Engine {
  /// Errors in a row, without a sample between them, after which a drained decoder counts as empty.
  private static let soundErrorLimit = 64

  /// The sound thread: packets in, samples out, as far as the sink takes them.
  func runSound(_ first: any AudioDecoder, sink: any AudioSink, serial: UInt64) {
    defer { sink.close() }
    var decoder = first
    var generation: UInt64 = 0
    var head: AudioSamples?
    /// Frames of `head` that were written.
    var offset = 0
    var drainErrors: Int?
    var lap = MediaTime.zero
    /// What begins once the decoder is empty.
    var nextLap: LapMark?
    /// Nothing of the lap has come out yet.
    var beginsLap = false
    while true {
      if head == nil {
        offset = 0
        do {
          switch try decoder.receive() {
          case .samples(let samples):
            head = samples.frameCount > 0 ? samples : nil
            if drainErrors != nil { drainErrors = 0 }
            continue
          case .needsInput: break
          case .ended:
            if drainErrors != nil, let next = nextLap {
              begin(next, &decoder)
              drainErrors = nil
              (lap, nextLap, beginsLap) = (next.offset, nil, true)
            } else if drainErrors != nil {
              change { state, now in state.didDrainSound(generation: generation, at: now) }
            }
          }
        } catch {
          warn(error)
          if let errors = drainErrors {
            drainErrors = errors + 1
            if errors < Self.soundErrorLimit { continue }
            change { state, now in state.didDrainSound(generation: generation, at: now) }
          } else {
            continue
          }
        }
      }
      let held = head.map { samples in
        SoundHead(
          pts: samples.pts == .unknown
            ? .unknown
            : samples.pts + lap + Self.span(offset, rate: samples.rate, sampleRate: sink.format.sampleRate),
          rate: samples.rate, frameCount: samples.frameCount - offset, generation: generation,
          lap: lap, beginsLap: beginsLap)
      }
      switch turns(as: .sound, { state, now in state.nextSound(held, serial: serial, at: now) }) {
      case .stop:
        return
      case .drop:
        head = nil
      case .use(let handoff):
        decoder = handoff.content
        head = nil
        drainErrors = nil
        (lap, nextLap) = (.zero, nil)
      case .decode(let packet, let newGeneration, let restarts, let rate):
        if let next = nextLap, generation == newGeneration {
          begin(next, &decoder)
          lap = next.offset
        } else {
          if restarts || drainErrors != nil { decoder.flush() }
          if generation != newGeneration { lap = .zero }
        }
        drainErrors = nil
        nextLap = nil
        generation = newGeneration
        if decoder.rate != rate { decoder.rate = rate }
        send((packet as? LapPacket)?.base ?? packet, to: decoder)
      case .endLap(let next, let newGeneration):
        if newGeneration != generation || drainErrors != nil {
          // Nothing of it is inside any more.
          begin(next, &decoder)
          drainErrors = nil
          generation = newGeneration
          (lap, nextLap) = (next.offset, nil)
          continue
        }
        nextLap = next
        drainErrors = 0
        send(nil, to: decoder)
      case .drain(let newGeneration, let rate):
        if newGeneration != generation {
          decoder.flush()
          (lap, nextLap) = (.zero, nil)
        }
        generation = newGeneration
        if decoder.rate != rate { decoder.rate = rate }
        drainErrors = 0
        send(nil, to: decoder)
      case .writeSilence(let frames, let media, let rate):
        let silence = [Float](repeating: 0, count: frames * sink.format.channelCount)
        let taken = silence.withUnsafeBufferPointer(sink.write)
        change { state, _ in
          state.didWriteSound(
            taken: taken, of: frames, at: media, rate: rate, generation: generation, serial: serial)
        }
      case .skip(let frames): offset += frames
      case .write(let skipped, let limit, let media):
        guard let samples = head else { continue }
        offset += skipped
        let offered = min(samples.frameCount - offset, limit)
        let taken = samples.samples.withUnsafeBufferPointer { buffer in
          let rest = buffer.dropFirst(offset * samples.channelCount).prefix(offered * samples.channelCount)
          return sink.write(UnsafeBufferPointer(rebasing: rest))
        }
        offset += taken
        if taken > 0 { beginsLap = false }
        if offset >= samples.frameCount { head = nil }
        change { state, _ in
          state.didWriteSound(
            taken: taken, of: offered, at: media, rate: samples.rate, generation: generation, serial: serial)
        }
      }
    }
  }

  /// What was inside has come out: what comes next is decoded by the mark's decoder, or by the same.
  private func begin(_ lap: LapMark, _ decoder: inout any AudioDecoder) {
    if let next = lap.audio { decoder = next.content } else { decoder.flush() }
  }

  private func send(_ packet: (any MediaPacket)?, to decoder: any AudioDecoder) {
    do {
      try decoder.send(packet)
    } catch {
      warn(error)
    }
  }

  private func warn(_ error: MediaError) {
    KiteLog.log(.warning, .decoder, error)
    change { state, _ in state.statistics.warn(error) }
  }

  private static func span(_ frames: Int, rate: Double, sampleRate: Int) -> MediaTime {
    SoundSync(sampleRate: sampleRate).span(ofFrames: Int64(frames), rate: rate)
  }
}

// MARK: Tracks and volume

extension Engine {
  /// The audio to play: the one that the container marks, else the first.
  static func audioTrack(of tracks: [MediaTrack]) -> MediaTrack? {
    let audio = tracks.filter { $0.kind == .audio }
    return audio.first(where: \.isDefault) ?? audio.first
  }

  /// Begins the sound of a track in place of the one before; on the demuxer's thread. A track that can't be decoded is
  /// silent: a warning.
  ///
  /// - Parameter facts: What is known of the item, while it is not the shown one yet.
  func beginSound(of trackID: Int?, source: any MediaSource, facts: ItemFacts? = nil) {
    let (tracks, video, subtitles) = monitor.withLock {
      facts.map { ($0.tracks, $0.video?.id, nil) }
        ?? ($0.allTracks, $0.hasVideo ? $0.readVideoTrackID : nil, $0.subtitles.readTrackID)
    }
    source.select(Set([video, trackID, subtitles].compactMap { $0 }))
    change { state, now in state.endSound(at: now) }
    guard let trackID, let sinks else { return }
    let format =
      tracks.first { $0.id == trackID }?.audioFormat ?? AudioFormat(sampleRate: 48000, channelCount: 2)
    let sink = sinks.makeSink(for: format)
    do {
      let decoder = try source.makeAudioDecoder(for: trackID, format: sink.format)
      let serial = change { state, _ in state.beginSound(SoundState(trackID: trackID, sink: sink)) }
      try startThread("kite-sound") { $0.runSound(decoder, sink: sink, serial: serial) }
    } catch {
      sink.close()
      change { state, now in
        state.endSound(at: now)
        state.statistics.warn(error)
      }
      KiteLog.log(.warning, .decoder, error)
    }
  }

  func setVolume(_ volume: () -> Volume) {
    change { state, _ in
      state.volume = volume()
      state.sound?.sink.setVolume(state.volume.gain)
      state.isChanged = true
    }
  }
}
