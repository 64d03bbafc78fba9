import KiteSystem

/// An open item in the demuxer's hands.
struct OpenReader {
  let opened: OpenedItem
  var subtitles: SubtitleReading?
  var source: any MediaSource { opened.source }
}

extension Engine {
  /// The demuxer thread: opens the sources, then reads ahead as far as the packet queue goes.
  func runDemuxer() {
    /// The items that are open, by their number; those that were played are let go.
    var readers: [UInt64: OpenReader] = [:]
    /// The one that is read.
    var current: UInt64 = 0
    while true {
      let (task, oldest) = turns(as: .demuxer) { state, now -> Turn<(DemuxerTask, UInt64)> in
        let task = state.nextDemuxerTask(at: now)
        let oldest = (state.shown?.entry ?? state.openTarget)?.item.id ?? 0
        return task.map { .done(($0, oldest)) } ?? .sleep(until: nil)
      }
      for (id, reader) in readers where id < oldest {
        readers[id] = nil
        reader.opened.entry.cancel()
      }
      switch task {
      case .stop: return
      case .open(let entry):
        do throws(MediaError) {
          try begin(try open(entry), &readers, &current)
        } catch {
          change { state, now in state.didFailToOpen(entry, error, at: now) }
        }
      case .begin(let opened):
        do throws(MediaError) {
          try begin(opened, &readers, &current)
        } catch {
          change { state, now in state.didFailToOpen(opened.entry, error, at: now) }
        }
      case .openAhead(let entry): openAhead(entry)
      case .merge(let file, let entry):
        if let reader = readers[entry.item.id] { merge(file, into: reader) }
      case .join(let opened, let generation):
        if let reader = join(opened, generation: generation) {
          current = opened.entry.item.id
          readers[current] = reader
        }
      case .take(let entry):
        guard let reader = readers[entry.item.id] else { continue }
        current = entry.item.id
        take(reader)
      default:
        guard let reader = readers[current] else { continue }
        readers[current]?.subtitles = perform(task, with: reader)
      }
    }
  }

  /// What concerns the source in hand alone. Returns the subtitles that are read from now on.
  private func perform(_ task: DemuxerTask, with reader: OpenReader) -> SubtitleReading? {
    let source = reader.source
    switch task {
    case .seek(let target, let generation):
      do {
        try source.seek(to: target)
        reader.subtitles?.jumped()
        lookBack(from: target, with: reader)
      } catch {
        if error.kind != .cancelled { KiteLog.log(.warning, .source, error) }
        change { state, now in state.refuseSeek(generation: generation, at: now) }
      }
    case .rewind(let target, let generation):
      do {
        try source.seek(to: target)
        change { state, _ in state.didRewind(generation: generation) }
      } catch {
        if error.kind != .cancelled { KiteLog.log(.warning, .source, error) }
        change { state, _ in state.didFailToRewind(generation: generation) }
      }
    case .beginVideo(let track): beginVideo(of: track, reader: reader)
    case .beginSound(let trackID):
      beginSound(of: trackID, source: source)
    case .beginSubtitles(let trackID, let serial):
      return beginSubtitles(of: trackID, serial: serial, source: source)
    case .read(let generation):
      reader.opened.isRead = true
      read(from: reader, generation: generation)
    default: break
    }
    return reader.subtitles
  }

  private func read(from reader: OpenReader, generation: UInt64) {
    do {
      let packet = try reader.source.readPacket()
      if let packet, let subtitles = reader.subtitles, packet.trackID == subtitles.trackID {
        return take(packet, into: subtitles)
      }
      if packet is PicturesEnd { return change { state, _ in state.endPictures(generation: generation) } }
      change { state, _ in state.didRead(packet, generation: generation) }
    } catch {
      if error.kind != .cancelled { KiteLog.log(.warning, .source, error) }
      change { state, _ in
        if generation == state.generation { state.endReading(.failed(error)) }
      }
    }
  }
}
