import KiteSystem

/// A seek comes to a keyframe, and reads on from there: a line of text that began before it is not read, though it is to be
/// seen. So the film's file is opened a second time, and its text is read from a while before, on a thread of its own:
/// no picture waits for it.
extension Engine {
  /// How long before the time it was sent to a line may have begun. Hardly any is shown longer.
  private static let lookBackSpan = MediaTime(seconds: 10)

  /// A seek to `target` was done in the source of `reader`; on the demuxer's thread. Sources that can't be opened twice, and
  /// those over a network, where that costs as much as the film: nothing.
  func lookBack(from target: MediaTime, with reader: OpenReader) {
    guard let reading = reader.subtitles, case .location(let location) = reader.opened.entry.origin,
      !reader.source.isRemote, target > .zero
    else { return }
    let needsThread = change { state, _ in
      guard state.subtitles.serial == reading.serial, !state.isStopping else { return false }
      state.subtitles.lookBack = target
      state.wakes.insert(.lookBack)
      defer { state.subtitles.lookBackSerial = reading.serial }
      return state.subtitles.lookBackSerial != reading.serial
    }
    guard needsThread else { return }
    let (trackID, scene, serial) = (reading.trackID, reading.scene, reading.serial)
    do {
      try startThread("kite-lookback") { engine in
        engine.runLookBack(location, trackID: trackID, scene: scene, serial: serial)
      }
    } catch {
      KiteLog.log(.warning, .source, error)
    }
  }

  /// The thread: reads what is wished for, until another track is chosen or the film is closed.
  private func runLookBack(_ location: MediaLocation, trackID: Int, scene: SubtitleScene, serial: UInt64) {
    let interrupt = InterruptFlag()
    change { state, _ in
      if state.isStopping { interrupt.set() } else { state.fileReads.append(interrupt) }
    }
    defer { change { state, _ in state.fileReads.removeAll { $0 === interrupt } } }
    do throws(MediaError) {
      let source = try backend.open(location, interrupt: interrupt)
      let decoder = try source.makeSubtitleDecoder(for: trackID)
      // Without the times of the pictures nobody would know how far the reading is.
      let video = source.tracks.first { $0.kind == .video && !$0.isAttachedPicture }
      source.select(Set([trackID, video?.id].compactMap { $0 }))
      while let target = nextLookBack(serial: serial) {
        decoder.flush()
        try source.seek(to: max(.zero, target - Self.lookBackSpan))
        var events: [SubtitleEvent] = []
        while let packet = try source.readPacket() {
          if let pts = packet.pts, pts > target { break }
          if packet.trackID == trackID {
            // One that is damaged is counted where the film itself is read.
            do throws(MediaError) { events += try decoder.decode(packet) } catch { continue }
          } else if monitor.withLock({ $0.isStopping || $0.subtitles.lookBack != nil }) {
            break
          }
        }
        scene.add(events)
      }
    } catch {
      if error.kind != .cancelled { KiteLog.log(.info, .source, error) }
    }
  }

  /// The time before which to read; nil: no more.
  private func nextLookBack(serial: UInt64) -> MediaTime? {
    turns(as: .lookBack) { state, _ in
      guard !state.isStopping, state.subtitles.serial == serial else { return .done(nil) }
      guard let target = state.subtitles.lookBack.take() else { return .sleep(until: nil) }
      // Of a delay, text of earlier is seen there.
      return .done(min(target, target - state.subtitles.delay))
    }
  }
}
