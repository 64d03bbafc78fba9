import KiteSystem

extension Engine {
  private var decoderOptions: VideoDecoderOptions {
    VideoDecoderOptions(pool: pool, threadCount: configuration.decoderThreadCount)
  }

  /// Opens an item and chooses its tracks. Blocks.
  func open(_ entry: QueueEntry) throws(MediaError) -> OpenedItem {
    let source: any MediaSource
    switch entry.origin {
    case .location(let location): source = try backend.open(location, interrupt: entry.interrupt)
    case .bytes(let bytes, let name):
      source = try backend.open(bytes, name: name, interrupt: entry.interrupt)
    }
    var facts = ItemFacts(entry: entry)
    facts.tracks = source.tracks
    facts.hasAudio = facts.tracks.contains { $0.kind == .audio }
    facts.video = Self.videoTrack(of: facts.tracks, hasAudio: facts.hasAudio)
    guard facts.video != nil || facts.hasAudio else {
      throw MediaError(
        kind: .noStreams, subject: entry.item.name, reason: "holds neither video nor audio",
        advice: "Check that it is the file you mean.")
    }
    facts.audio = sinks == nil ? nil : Self.audioTrack(of: facts.tracks)
    source.select(Set([facts.video?.id, facts.audio?.id].compactMap { $0 }))
    var decoder: (any VideoDecoder)?
    if let track = facts.video {
      do {
        decoder = try source.makeVideoDecoder(for: track.id, options: decoderOptions)
      } catch {
        guard facts.hasAudio, error.kind != .device else { throw error }
        facts.video = nil
        facts.videoError = error
      }
    }
    facts.duration = source.duration
    facts.isSeekable = source.isSeekable
    facts.isRemote = source.isRemote
    facts.chapters = source.chapters
    return OpenedItem(facts: facts, source: source, decoder: decoder)
  }

  /// Begins an item in place of the one before, or of none; on the demuxer's thread.
  func begin(
    _ opened: OpenedItem, _ readers: inout [UInt64: OpenReader], _ current: inout UInt64
  ) throws(MediaError) {
    let isFirst = readers.isEmpty && current == 0
    let facts = opened.facts
    if opened.isRead { try opened.source.seek(to: .zero) }
    if let decoder = try opened.takeDecoder(decoderOptions) {
      change { state, _ in
        state.videoDecoder = decoder
        state.wakes.insert(.decoder)
      }
      if !monitor.withLock({ $0.hasDecoderThread }) {
        change { state, _ in state.hasDecoderThread = true }
        try startThread("kite-decode") { $0.runDecoder() }
      }
    }
    readers[opened.entry.item.id] = OpenReader(opened: opened)
    current = opened.entry.item.id
    let audio = monitor.withLock { $0.audio(of: facts) }
    beginSound(of: audio?.id, source: opened.source, facts: facts)
    let former = change { state, now -> UInt64? in
      let serial = state.subtitles.serial
      guard state.didOpen(facts, at: now) else { return nil }
      if facts.isRemote { state.packets.deepen(to: configuration.networkPacketByteLimit) }
      state.subtitles.chapters = facts.chapters
      if state.hasVideo { state.chooseSubtitles(audio: audio) }
      if let error = facts.videoError { state.statistics.warn(error) }
      return serial
    }
    guard let former else { return }
    if !isFirst { line.setSubtitles(nil, epoch: epoch(ofChoice: former, isRead: false)) }
    tell(facts)
    if isFirst { try startThread("kite-deliver") { $0.runDelivery() } }
  }

  /// Opens the next item on a thread of its own, while another one plays.
  func openAhead(_ entry: QueueEntry) {
    do {
      try startThread("kite-ahead") { engine in
        let result: Result<OpenedItem, MediaError>
        do throws(MediaError) {
          result = .success(try engine.open(entry))
        } catch {
          if error.kind != .cancelled { KiteLog.log(.warning, .source, error) }
          result = .failure(error)
        }
        engine.change { state, _ in
          if !state.isStopping, state.queue.didOpen(entry, result) { state.wakes.insert(.demuxer) }
        }
      }
    } catch {
      change { state, _ in
        if state.queue.didOpen(entry, .failure(error)) { state.wakes.insert(.demuxer) }
      }
    }
  }

  /// Lets an item follow the one that is read, without a gap; on the demuxer's thread. Nil: not now.
  func join(_ opened: OpenedItem, generation: UInt64) -> OpenReader? {
    let facts = opened.facts
    let source = opened.source
    let (track, format) = monitor.withLock { ($0.audio(of: facts), $0.sound?.sink.format) }
    do throws(MediaError) {
      var audio: Handoff<any AudioDecoder>?
      if let track, let format {
        do throws(MediaError) {
          audio = Handoff(try source.makeAudioDecoder(for: track.id, format: format))
        } catch {
          // Silent, it is not like the one before: it begins by a jump.
          opened.facts.audio = nil
          KiteLog.log(.warning, .decoder, error)
          return nil
        }
      }
      if opened.isRead { try source.seek(to: .zero) }
      let video = try opened.takeDecoder(decoderOptions)
      var (subtitles, reading) = makeSubtitles(for: facts, audio: track, source: source)
      subtitles.chapters = facts.chapters
      source.select(Set([facts.video?.id, track?.id, reading?.trackID].compactMap { $0 }))
      let isJoined = change { state, _ in
        state.didJoin(
          facts, video: video, audio: audio, audioTrackID: track?.id, subtitles: subtitles,
          generation: generation)
      }
      guard isJoined else { return nil }
      if facts.isRemote {
        change { state, _ in state.packets.deepen(to: configuration.networkPacketByteLimit) }
      }
      tell(facts)
      return OpenReader(opened: opened, subtitles: reading)
    } catch {
      if error.kind != .cancelled { KiteLog.log(.warning, .source, error) }
      change { state, _ in state.queue.failFirst(facts.entry, error) }
      return nil
    }
  }

  /// Reads on in the source of an item that was left for the one behind it.
  func take(_ reader: OpenReader) {
    do throws(MediaError) {
      let video = try reader.opened.takeDecoder(decoderOptions)
      let (trackID, format) = monitor.withLock { ($0.sound?.trackID, $0.sound?.sink.format) }
      var audio: Handoff<any AudioDecoder>?
      if let trackID, let format {
        audio = Handoff(try reader.source.makeAudioDecoder(for: trackID, format: format))
      }
      change { state, _ in
        state.videoDecoder = video
        if audio != nil { state.sound?.decoder = audio }
        state.wakes.formUnion([.decoder, .sound])
      }
    } catch {
      change { state, now in state.giveUpItem(error, at: now) }
    }
  }

  private func tell(_ facts: ItemFacts) {
    if let error = facts.videoError { KiteLog.log(.warning, .decoder, error) }
    KiteLog.log(
      .info, .engine, facts.entry.item.name,
      "is open: \(facts.tracks.map(\.codec).joined(separator: ", ")); \(facts.duration.map { "\($0.seconds) s" } ?? "no end known")"
    )
  }

  /// The video to play: the one that the container marks, else the first. A cover is video only where there is nothing
  /// else.
  private static func videoTrack(of tracks: [MediaTrack], hasAudio: Bool) -> MediaTrack? {
    let moving = tracks.filter { $0.kind == .video && !$0.isAttachedPicture }
    if let track = moving.first(where: \.isDefault) ?? moving.first { return track }
    return hasAudio ? nil : tracks.first { $0.kind == .video }
  }
}
