import KiteSystem

/// A file of sound that was opened for a player.
struct ExternalAudioFile {
  fileprivate let source: Handoff<any MediaSource>
  fileprivate let tracks: [MediaTrack]
  fileprivate let name: String
  /// Ends the calls of its source.
  let interrupt: InterruptFlag

  /// The same with the numbers of a player, from `first` on.
  func numbered(from first: Int) -> OpenedAudio {
    var shown: [Int: MediaTrack] = [:]
    for (offset, track) in tracks.enumerated() {
      shown[track.id] = MediaTrack(
        id: first + offset, kind: .audio, codec: track.codec, language: track.language,
        title: track.title ?? name, isDefault: track.isDefault, isExternal: true,
        audioFormat: track.audioFormat)
    }
    return OpenedAudio(source, tracks: shown)
  }
}

extension Engine {
  func selectAudioTrack(_ id: Int?) {
    jumpingChange { state, now in
      guard sinks != nil, state.isSeekable != nil else { return }
      state.selectAudio(id, at: now)
    }
  }

  /// Opens a file of sound and adds its tracks; blocks. Returns the first one.
  func addAudio(_ location: MediaLocation, selects: Bool) throws(MediaError) -> MediaTrack {
    // A flag of its own: breaking off a stalled read of the film is not meant for this one.
    let interrupt = InterruptFlag()
    let item = change { state, _ -> QueueItem.ID? in
      if state.isStopping { interrupt.set() } else { state.fileReads.append(interrupt) }
      return (state.shown?.entry ?? state.openTarget)?.item.id
    }
    defer { change { state, _ in state.fileReads.removeAll { $0 === interrupt } } }
    let source = try backend.open(location, interrupt: interrupt)
    let tracks = source.tracks.filter { $0.kind == .audio }
    guard !tracks.isEmpty else {
      throw MediaError(
        kind: .noStreams, subject: location.text, reason: "holds no sound",
        advice: "Give a file with an audio track.")
    }
    let file = ExternalAudioFile(
      source: Handoff(source), tracks: tracks,
      name: location.text.split(separator: "/").last.map(String.init) ?? location.text, interrupt: interrupt)
    let added = jumpingChange { state, now in
      state.addAudio(file, to: item, selects: selects && sinks != nil, at: now)
    }
    guard let added else {
      throw MediaError(
        kind: .cancelled, subject: location.text, reason: "was not added: the film was closed first")
    }
    return added
  }

  /// Lets the packets of a file come with those of the film; on the demuxer's thread.
  func merge(_ file: OpenedAudio, into reader: OpenReader) {
    let merged =
      reader.source as? MergedSource
      ?? MergedSource(reader.source) { [weak self] error in
        KiteLog.log(.warning, .source, error)
        self?.change { state, _ in state.statistics.warn(error) }
      }
    merged.add(file.source.content, shownIDs: file.shownIDs)
    reader.opened.source = merged
  }
}
