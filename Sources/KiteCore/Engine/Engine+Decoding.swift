import KiteSystem

extension Engine {
  /// Errors in a row, without a frame between them, after which a drained decoder counts as empty.
  private static let drainErrorLimit = 64

  /// The decoder thread: packets in, frames out, as far as the frame queue goes.
  func runDecoder() {
    var decoder: (any VideoDecoder)?
    var generation: UInt64 = 0
    var drainErrors: Int?
    var offset = MediaTime.zero
    /// What begins once the decoder is empty.
    var nextLap: LapMark?
    var report = DecoderReport()
    while true {
      // A frame that comes out has a place: in the decoder's hands it would be one more that is alive.
      turns(as: .decoder) { state, _ in
        state.hasRoom(forGeneration: generation) ? .done(()) : .sleep(until: nil)
      }
      var frame: VideoFrame?
      var isEmptied = false
      do {
        switch try decoder?.receive() ?? .needsInput {
        case .frame(let received): frame = consume received
        case .needsInput: break
        case .ended: isEmptied = true
        }
      } catch {
        warn(error, generation: generation)
        if let errors = drainErrors {
          drainErrors = errors + 1
          isEmptied = errors + 1 >= Self.drainErrorLimit
          // Nothing can be sent while it drains: ask again.
          if !isEmptied { continue }
        }
      }
      if let new = decoder?.report, new != report {
        report = new
        change { state, _ in state.statistics.decoder = new }
      }
      if frame != nil {
        if drainErrors != nil { drainErrors = 0 }
        change { state, _ in state.didDecode(&frame, generation: generation, offset: offset) }
        continue
      }
      if isEmptied, let next = nextLap {
        begin(next, &decoder)
        drainErrors = nil
        (offset, nextLap) = (next.offset, nil)
      } else if isEmptied {
        change { state, _ in state.didDrain(generation: generation) }
      }
      let task = turns(as: .decoder) { state, now in
        state.nextDecoderTask(contentGeneration: generation, at: now).map { .done($0) } ?? .sleep(until: nil)
      }
      switch task {
      case .stop:
        return
      case .use(let handoff):
        decoder = handoff.content
        drainErrors = nil
        (offset, nextLap) = (.zero, nil)
      case .decode(let packet, let newGeneration, let skips, let restarts):
        if let next = nextLap, generation == newGeneration {
          begin(next, &decoder)
          offset = next.offset
        } else {
          if restarts || drainErrors != nil { decoder?.flush() }
          if generation != newGeneration { offset = .zero }
        }
        drainErrors = nil
        nextLap = nil
        generation = newGeneration
        if decoder?.skipsNonReferenceFrames != skips { decoder?.skipsNonReferenceFrames = skips }
        send((packet as? LapPacket)?.base ?? packet, to: decoder, generation: generation)
      case .endLap(let next, let newGeneration):
        if newGeneration != generation || drainErrors != nil {
          // Nothing of it is inside any more.
          begin(next, &decoder)
          drainErrors = nil
          generation = newGeneration
          (offset, nextLap) = (next.offset, nil)
          continue
        }
        nextLap = next
        drainErrors = 0
        send(nil, to: decoder, generation: generation)
      case .drain(let newGeneration):
        if newGeneration != generation {
          decoder?.flush()
          (offset, nextLap) = (.zero, nil)
        }
        generation = newGeneration
        // Asked again while draining: it wants input and gets none.
        if drainErrors != nil || decoder == nil {
          change { state, _ in state.didDrain(generation: newGeneration) }
          continue
        }
        drainErrors = 0
        send(nil, to: decoder, generation: generation)
      }
    }
  }

  /// What was inside has come out: what comes next is decoded by the mark's decoder, or by the same.
  private func begin(_ lap: LapMark, _ decoder: inout (any VideoDecoder)?) {
    if let next = lap.video { decoder = next.content } else { decoder?.flush() }
  }

  private func send(
    _ packet: (any MediaPacket)?, to decoder: (any VideoDecoder)?, generation: UInt64
  ) {
    do {
      try decoder?.send(packet)
    } catch {
      warn(error, generation: generation)
    }
  }

  private func warn(_ error: MediaError, generation: UInt64) {
    KiteLog.log(.warning, .decoder, error)
    change { state, now in state.didFailToDecode(error, generation: generation, at: now) }
  }
}
