import KiteSystem

extension Engine {
  /// The demuxer thread: opens the source, then reads ahead as far as the packet queue goes.
  func runDemuxer() {
    let source: any MediaSource
    do {
      source = try openSource()
    } catch {
      change { state, now in state.fail(error, at: now) }
      return
    }
    var subtitles: SubtitleReading?
    while true {
      switch turns(
        as: .demuxer,
        { state, now in
          let task = state.nextDemuxerTask(at: now)
          // Whatever was broken off is over.
          interrupt.clearBreak()
          return task.map { .done($0) } ?? .sleep(until: nil)
        })
      {
      case .stop:
        return
      case .seek(let target, let generation):
        do {
          try source.seek(to: target)
          subtitles?.jumped()
        } catch {
          if error.kind != .cancelled { KiteLog.log(.warning, .source, error) }
          change { state, now in state.refuseSeek(generation: generation, at: now) }
        }
      case .rewind(let generation):
        do {
          try source.seek(to: .zero)
          change { state, _ in state.didRewind(generation: generation) }
        } catch {
          if error.kind != .cancelled { KiteLog.log(.warning, .source, error) }
          change { state, _ in state.didFailToRewind(generation: generation) }
        }
      case .beginSound(let trackID):
        beginSound(of: trackID, source: source)
      case .beginSubtitles(let trackID, let serial):
        subtitles = beginSubtitles(of: trackID, serial: serial, source: source)
      case .read(let generation):
        do {
          let packet = try source.readPacket()
          if let packet, let subtitles, packet.trackID == subtitles.trackID {
            take(packet, into: subtitles)
            continue
          }
          change { state, _ in state.didRead(packet, generation: generation) }
        } catch {
          if error.kind != .cancelled { KiteLog.log(.warning, .source, error) }
          change { state, _ in
            if generation == state.generation { state.finishReading(.failed(error)) }
          }
        }
      }
    }
  }

  private func openSource() throws(MediaError) -> any MediaSource {
    let source: any MediaSource
    switch origin {
    case .location(let location): source = try backend.open(location, interrupt: interrupt)
    case .bytes(let bytes, let name): source = try backend.open(bytes, name: name, interrupt: interrupt)
    }
    let tracks = source.tracks
    let hasAudio = tracks.contains { $0.kind == .audio }
    var video = Self.videoTrack(of: tracks, hasAudio: hasAudio)
    guard video != nil || hasAudio else {
      throw MediaError(
        kind: .noStreams, subject: origin.name, reason: "holds neither video nor audio",
        advice: "Check that it is the file you mean.")
    }
    var videoError: MediaError?
    let audio = sinks == nil ? nil : Self.audioTrack(of: tracks)
    source.select(Set([video?.id, audio?.id].compactMap { $0 }))
    if let track = video {
      do {
        let options = VideoDecoderOptions(pool: pool, threadCount: configuration.decoderThreadCount)
        let decoder = try source.makeVideoDecoder(for: track.id, options: options)
        try startThread("kite-decode") { $0.runDecoder(decoder) }
      } catch {
        guard hasAudio else { throw error }
        video = nil
        videoError = error
      }
    }
    if let audio {
      beginSound(of: audio.id, source: source, video: video?.id)
    } else if video == nil {
      source.select([])
    }
    let duration = source.duration
    let isSeekable = source.isSeekable
    let isRemote = source.isRemote
    change { state, now in
      state.didOpen(
        tracks: tracks, video: video, hasAudio: hasAudio, duration: duration,
        isSeekable: isSeekable, isRemote: isRemote, at: now)
      if isRemote { state.packets.deepen(to: configuration.networkPacketByteLimit) }
      state.subtitles.chapters = source.chapters
      if state.hasVideo { state.chooseSubtitles(audio: audio) }
      state.videoError = videoError
      if let videoError { state.statistics.warn(videoError) }
    }
    if let videoError { KiteLog.log(.warning, .decoder, videoError) }
    KiteLog.log(
      .info, .engine, origin.name,
      "is open: \(tracks.map(\.codec).joined(separator: ", ")); \(duration.map { "\($0.seconds) s" } ?? "no end known")"
    )
    try startThread("kite-deliver") { $0.runDelivery() }
    return source
  }

  /// The video to play: the one that the container marks, else the first. A cover is video only where there is nothing
  /// else.
  private static func videoTrack(of tracks: [MediaTrack], hasAudio: Bool) -> MediaTrack? {
    let moving = tracks.filter { $0.kind == .video && !$0.isAttachedPicture }
    if let track = moving.first(where: \.isDefault) ?? moving.first { return track }
    return hasAudio ? nil : tracks.first { $0.kind == .video }
  }
}
