import KiteSystem

/// A subtitle track that the demuxer reads.
struct SubtitleReading {
  let trackID: Int
  let decoder: any SubtitleDecoder
  let scene: SubtitleScene
  /// Of the choice that it is for.
  let serial: UInt64

  func jumped() {
    decoder.flush()
    scene.jumped()
  }
}

extension Engine {
  /// Chooses a track of the source or of another file, or none; others: nothing.
  func selectSubtitleTrack(_ id: Int?) {
    let choice = change { state, now -> (scene: SubtitleScene?, serial: UInt64)? in
      guard state.isSeekable != nil, state.subtitles.trackID != id || state.subtitles.error != nil,
        id == nil || state.allTracks.contains(where: { $0.id == id && $0.kind == .subtitle })
      else { return nil }
      let choice = choose(id, in: &state)
      // What was read ahead holds nothing of the new track.
      if state.subtitles.readTrackID != nil, state.isSeekable == true, state.status.status != .ended {
        state.seek(to: state.position(at: now), mode: .precise, at: now)
      }
      return choice
    }
    if let choice { line.setSubtitles(choice.scene, epoch: epoch(ofChoice: choice.serial, isRead: false)) }
  }

  private func choose(_ id: Int?, in state: inout EngineState) -> (scene: SubtitleScene?, serial: UInt64) {
    state.subtitles.choose(id)
    state.isChanged = true
    state.wakes.formUnion([.demuxer, .lookBack])
    let serial = state.subtitles.serial
    guard let external = state.subtitles.externals.first(where: { $0.track.id == id }) else {
      return (nil, serial)
    }
    let scene = makeScene(
      of: external.track.id, form: external.form, fonts: [], item: state.laps.item,
      delay: state.subtitles.delay, serial: serial)
    scene.add(external.events)
    scene.setHidden(state.status.status == .ended)
    state.subtitles.scene = scene
    return (scene, serial)
  }

  /// Orders what the renderers are told: the scene of a choice comes after the news that the former one is over, though the
  /// demuxer may be faster than who chose.
  func epoch(ofChoice serial: UInt64, isRead: Bool) -> RendererLine.Epoch {
    epoch(of: serial * 2 + (isRead ? 1 : 0))
  }

  func setSubtitleDelay(_ delay: () -> MediaTime) {
    change { state, _ in
      state.subtitles.delay = delay()
      state.subtitles.scene?.setDelay(state.subtitles.delay)
      state.isChanged = true
    }
  }

  // MARK: The demuxer's side

  /// Begins to read the subtitles of a track in place of the one before; on the demuxer's thread.
  func beginSubtitles(of trackID: Int?, serial: UInt64, source: any MediaSource) -> SubtitleReading? {
    let (video, audio, subtitles, delay, item) = monitor.withLock {
      (
        $0.hasVideo ? $0.videoTrackID : nil, $0.sound?.trackID, $0.subtitles.readTrackID, $0.subtitles.delay,
        $0.laps.item
      )
    }
    source.select(Set([video, audio, subtitles].compactMap { $0 }))
    guard let trackID, trackID == subtitles else { return nil }
    do throws(MediaError) {
      let reading = try makeReading(of: trackID, source: source, item: item, delay: delay, serial: serial)
      let scene = reading.scene
      let isWanted = change { state, _ in
        guard state.subtitles.serial == serial, !state.isStopping else { return false }
        scene.setDelay(state.subtitles.delay)
        state.subtitles.scene = scene
        return true
      }
      if isWanted { line.setSubtitles(scene, epoch: epoch(ofChoice: serial, isRead: true)) }
      return reading
    } catch {
      change { state, _ in state.failSubtitles(error, serial: serial) }
      return nil
    }
  }

  /// The subtitles that an item begins with which is to follow without a gap; on the demuxer's thread.
  func makeSubtitles(
    for facts: ItemFacts, audio: MediaTrack?, source: any MediaSource
  ) -> (SubtitleState, SubtitleReading?) {
    var subtitles = monitor.withLock { ($0.joined.last?.subtitles ?? $0.subtitles).following() }
    guard facts.video != nil, let track = SubtitleChoice.track(of: facts.tracks, audio: audio) else {
      return (subtitles, nil)
    }
    do throws(MediaError) {
      let reading = try makeReading(
        of: track.id, source: source, item: facts.entry.item.id, delay: subtitles.delay,
        serial: subtitles.serial)
      subtitles.trackID = track.id
      subtitles.scene = reading.scene
      return (subtitles, reading)
    } catch {
      subtitles.error = error
      return (subtitles, nil)
    }
  }

  private func makeReading(
    of trackID: Int, source: any MediaSource, item: UInt64, delay: MediaTime, serial: UInt64
  ) throws(MediaError) -> SubtitleReading {
    let decoder = try source.makeSubtitleDecoder(for: trackID)
    let fonts = decoder.form == .pictures ? [] : source.fonts
    let scene = makeScene(
      of: trackID, form: decoder.form, fonts: fonts, item: item, delay: delay, serial: serial)
    return SubtitleReading(trackID: trackID, decoder: decoder, scene: scene, serial: serial)
  }

  /// Puts what a packet holds on the scene; on the demuxer's thread.
  func take(_ packet: any MediaPacket, into subtitles: SubtitleReading) {
    do throws(MediaError) {
      subtitles.scene.add(try subtitles.decoder.decode(packet))
    } catch {
      change { state, _ in state.statistics.decodeWarnings += 1 }
    }
  }

  private func makeScene(
    of trackID: Int, form: SubtitleForm, fonts: [MediaAttachment], item: UInt64, delay: MediaTime,
    serial: UInt64
  ) -> SubtitleScene {
    SubtitleScene(
      trackID: trackID, form: form, fonts: fonts, texts: texts, delay: delay,
      clock: { [weak self] in
        // Of an item that is not shown, and on the way to another picture, the one that is there says what time it is.
        self?.monitor.withLock { state in
          state.laps.item == item && !state.awaitsFirstFrame
            ? SubtitleClock(state.clock, laps: state.laps) : SubtitleClock()
        } ?? SubtitleClock()
      },
      onProblem: { [weak self] error in
        self?.change { state, _ in state.failSubtitles(error, serial: serial) }
      })
  }

  // MARK: Other files

  /// Reads a file of subtitles and adds its first track; blocks.
  func addSubtitles(_ location: MediaLocation, selects: Bool) throws(MediaError) -> MediaTrack {
    // A flag of its own: breaking off a stalled read of the film is not meant for this one.
    let interrupt = InterruptFlag()
    change { state, _ in
      if state.isStopping { interrupt.set() } else { state.fileReads.append(interrupt) }
    }
    defer { change { state, _ in state.fileReads.removeAll { $0 === interrupt } } }
    let read = try ExternalSubtitles.read(location, backend: backend, interrupt: interrupt)
    var choice: (scene: SubtitleScene?, serial: UInt64)?
    let added = change { state, _ -> MediaTrack? in
      guard !state.isStopping else { return nil }
      let external = read.numbered(SubtitleState.firstExternalID + state.subtitles.externals.count)
      state.subtitles.externals.append(external)
      state.isChanged = true
      if selects { choice = choose(external.track.id, in: &state) }
      return external.track
    }
    guard let added else {
      throw MediaError(
        kind: .cancelled, subject: location.text, reason: "was not added: the film was closed first")
    }
    if let choice { line.setSubtitles(choice.scene, epoch: epoch(ofChoice: choice.serial, isRead: false)) }
    return added
  }
}

extension ExternalSubtitles {
  /// Events of one file at the most: a hundred times those of a film.
  private static let eventLimit = 200_000

  static func read(
    _ location: MediaLocation, backend: any MediaBackend, interrupt: InterruptFlag
  ) throws(MediaError) -> ExternalSubtitles {
    let source = try backend.openSubtitles(location, interrupt: interrupt)
    guard let track = source.tracks.first(where: { $0.kind == .subtitle }) else {
      throw MediaError(
        kind: .noStreams, subject: location.text, reason: "holds no subtitles",
        advice: "Give a subtitle file, such as SRT, ASS or WebVTT.")
    }
    source.select([track.id])
    let decoder = try source.makeSubtitleDecoder(for: track.id)
    var events: [SubtitleEvent] = []
    while events.count < eventLimit, let packet = try source.readPacket() {
      do throws(MediaError) { events += try decoder.decode(packet) } catch { continue }
    }
    if interrupt.isSet {
      throw MediaError(kind: .cancelled, subject: location.text, reason: "was closed while it was read")
    }
    let name = location.text.split(separator: "/").last.map(String.init)
    let shown = MediaTrack(
      id: track.id, kind: .subtitle, codec: track.codec, language: track.language, title: track.title ?? name,
      isExternal: true)
    return ExternalSubtitles(track: shown, form: decoder.form, events: events)
  }

  /// The same as the track `id` of a player.
  func numbered(_ id: Int) -> ExternalSubtitles {
    let new = MediaTrack(
      id: id, kind: .subtitle, codec: track.codec, language: track.language, title: track.title,
      isExternal: true)
    return ExternalSubtitles(track: new, form: form, events: events)
  }
}
