import KiteSystem

extension Engine {
  /// Shows a video track of the source, or none; others: nothing.
  func selectVideoTrack(_ id: Int?) {
    let isOff = jumpingChange { state, now in state.selectVideo(id, at: now) }
    guard isOff, let frame = Self.blackFrame() else { return }
    // The last picture is over, and there is no next one.
    _ = line.deliver(frame, at: time.now, epoch: epoch(of: monitor.withLock { $0.generation }))
  }

  /// Decodes another track from now on; on the demuxer's thread. Nil: none.
  func beginVideo(of track: MediaTrack?, reader: OpenReader) {
    reader.opened.facts.video = track
    let others = monitor.withLock { [$0.sound?.trackID, $0.subtitles.readTrackID] }
    reader.source.select(Set((others + [track?.id]).compactMap { $0 }))
    guard let track else { return }
    do throws(MediaError) {
      let options = VideoDecoderOptions(pool: pool, threadCount: configuration.decoderThreadCount)
      let decoder = Handoff(try reader.source.makeVideoDecoder(for: track.id, options: options))
      let needsThread = change { state, _ in
        state.videoDecoder = decoder
        state.wakes.insert(.decoder)
        defer { state.hasDecoderThread = true }
        return !state.hasDecoderThread
      }
      if needsThread { try startThread("kite-decode") { $0.runDecoder() } }
    } catch {
      KiteLog.log(.warning, .decoder, error)
      change { state, _ in state.failVideo(error) }
    }
  }

  /// A small black picture; nil without memory for it.
  private static func blackFrame() -> VideoFrame? {
    let size = PixelSize(width: 64, height: 36)
    let pool = FramePool(limit: 1)
    guard let slot = try? pool.lend(byteCount: size.width * size.height) else { return nil }
    var color = ColorDescription()
    color.range = .full
    let properties = VideoFrame.Properties(format: .gray8, codedSize: size, color: color, pts: .unknown)
    return VideoFrame(
      properties: properties, memory: .shared(slot.memory),
      planes: [VideoPlane(offset: 0, stride: size.width, baseAddress: slot.memory.baseAddress)], owner: slot)
  }
}

/// A video track to be shown from now on; nil: none.
struct VideoWish {
  var track: MediaTrack?
}

extension EngineState {
  /// Chooses a video track, or none. Returns whether pictures have ended by it.
  mutating func selectVideo(_ id: Int?, at now: MonotonicTime) -> Bool {
    let track = tracks.first { $0.id == id && $0.kind == .video && !$0.isAttachedPicture }
    guard shown != nil, !isStopping, (hasVideo ? videoTrackID : nil) != id, id == nil || track != nil else {
      return false
    }
    recall(at: now)
    videoWish = VideoWish(track: track)
    shown?.video = track
    videoError = nil
    wakes = .all
    isChanged = true
    if let track {
      hasVideo = true
      videoTrackID = track.id
      packets.removeAll()
      // What was read ahead holds nothing of the new track.
      seek(to: seeking.destination ?? position(at: now), mode: .precise, at: now)
      return false
    }
    dropPictures()
    return true
  }

  /// The chosen track can't be decoded: what is to be heard goes on.
  mutating func failVideo(_ error: MediaError) {
    guard !isStopping else { return }
    dropPictures()
    videoError = error
    statistics.warn(error)
    wakes = .all
    isChanged = true
  }

  private mutating func dropPictures() {
    hasVideo = false
    videoSize = nil
    stepsWanted = 0
    packets.removeAll()
    letGoOfFrames()
  }
}
