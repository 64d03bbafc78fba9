import KiteSystem

extension Engine {
  /// Errors in a row, without a sample between them, after which a drained decoder counts as empty.
  private static let soundErrorLimit = 64

  /// The sound thread: packets in, samples out, as far as the sink takes them.
  func runSound(_ decoder: any AudioDecoder, sink: any AudioSink, serial: UInt64) {
    defer { sink.close() }
    var generation: UInt64 = 0
    var head: AudioSamples?
    /// Frames of `head` that were written.
    var offset = 0
    var drainErrors: Int?
    var lap = MediaTime.zero
    /// Of the lap that begins once the decoder is empty.
    var nextLap: MediaTime?
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
              decoder.flush()
              drainErrors = nil
              (lap, nextLap) = (next, nil)
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
          rate: samples.rate, frameCount: samples.frameCount - offset, generation: generation)
      }
      switch turns(as: .sound, { state, now in state.nextSound(held, serial: serial, at: now) }) {
      case .stop:
        return
      case .drop:
        head = nil
      case .decode(let packet, let newGeneration, let restarts, let rate):
        if restarts || drainErrors != nil { decoder.flush() }
        drainErrors = nil
        lap = generation == newGeneration ? nextLap ?? lap : .zero
        nextLap = nil
        generation = newGeneration
        if decoder.rate != rate { decoder.rate = rate }
        send((packet as? LapPacket)?.base ?? packet, to: decoder)
      case .endLap(let next, let newGeneration):
        if newGeneration != generation || drainErrors != nil {
          // Nothing of it is inside any more.
          decoder.flush()
          drainErrors = nil
          generation = newGeneration
          (lap, nextLap) = (next, nil)
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
      case .write(let skipped, let media):
        guard let samples = head else { continue }
        offset += skipped
        let offered = samples.frameCount - offset
        let taken = samples.samples.withUnsafeBufferPointer { buffer in
          sink.write(UnsafeBufferPointer(rebasing: buffer.dropFirst(offset * samples.channelCount)))
        }
        offset += taken
        if offset >= samples.frameCount { head = nil }
        change { state, _ in
          state.didWriteSound(
            taken: taken, of: offered, at: media, rate: samples.rate, generation: generation, serial: serial)
        }
      }
    }
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
  func beginSound(of trackID: Int?, source: any MediaSource, video: Int? = nil) {
    let (tracks, selectedVideo, subtitles) = monitor.withLock {
      ($0.tracks, $0.hasVideo ? $0.videoTrackID : nil, $0.subtitles.readTrackID)
    }
    source.select(Set([video ?? selectedVideo, trackID, subtitles].compactMap { $0 }))
    change { state, now in state.endSound(at: now) }
    guard let trackID, let sinks else { return }
    let all = tracks.isEmpty ? source.tracks : tracks
    let format =
      all.first { $0.id == trackID }?.audioFormat ?? AudioFormat(sampleRate: 48000, channelCount: 2)
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

  func selectAudioTrack(_ id: Int?) {
    change { state, now in
      guard sinks != nil, state.isSeekable != nil, state.sound?.trackID != id,
        id == nil || state.tracks.contains(where: { $0.id == id && $0.kind == .audio })
      else { return }
      state.soundWish = SoundWish(trackID: id)
      state.wakes.insert(.demuxer)
      // What was read ahead holds nothing of the new track.
      if id != nil { state.seek(to: state.position(at: now), mode: .precise, at: now) }
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
