import KiteSystem

extension Engine {
  /// Errors in a row, without a frame between them, after which a drained decoder counts as empty.
  private static let drainErrorLimit = 64

  /// The decoder thread: packets in, frames out, as far as the frame queue goes.
  func runDecoder(_ decoder: any VideoDecoder) {
    var generation: UInt64 = 0
    var drainErrors: Int?
    var offset = MediaTime.zero
    /// Of the lap that begins once the decoder is empty.
    var nextOffset: MediaTime?
    var report = DecoderReport()
    while true {
      // A frame that comes out has a place: in the decoder's hands it would be one more that is alive.
      turns(as: .decoder) { state, _ in
        state.hasRoom(forGeneration: generation) ? .done(()) : .sleep(until: nil)
      }
      var frame: VideoFrame?
      var isEmptied = false
      do {
        switch try decoder.receive() {
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
      if decoder.report != report {
        report = decoder.report
        let new = report
        change { state, _ in state.statistics.decoder = new }
      }
      if frame != nil {
        if drainErrors != nil { drainErrors = 0 }
        change { state, _ in state.didDecode(&frame, generation: generation, offset: offset) }
        continue
      }
      if isEmptied, let next = nextOffset {
        decoder.flush()
        drainErrors = nil
        (offset, nextOffset) = (next, nil)
      } else if isEmptied {
        change { state, _ in state.didDrain(generation: generation) }
      }
      let task = turns(as: .decoder) { state, now in
        state.nextDecoderTask(contentGeneration: generation, at: now).map { .done($0) } ?? .sleep(until: nil)
      }
      switch task {
      case .stop:
        return
      case .decode(let packet, let newGeneration, let skips, let restarts):
        if restarts || drainErrors != nil { decoder.flush() }
        drainErrors = nil
        offset = generation == newGeneration ? nextOffset ?? offset : .zero
        nextOffset = nil
        generation = newGeneration
        if decoder.skipsNonReferenceFrames != skips { decoder.skipsNonReferenceFrames = skips }
        send((packet as? LapPacket)?.base ?? packet, to: decoder, generation: generation)
      case .endLap(let next, let newGeneration):
        if newGeneration != generation || drainErrors != nil {
          // Nothing of it is inside any more.
          decoder.flush()
          drainErrors = nil
          generation = newGeneration
          (offset, nextOffset) = (next, nil)
          continue
        }
        nextOffset = next
        drainErrors = 0
        send(nil, to: decoder, generation: generation)
      case .drain(let newGeneration):
        if newGeneration != generation {
          decoder.flush()
          (offset, nextOffset) = (.zero, nil)
        }
        generation = newGeneration
        // Asked again while draining: it wants input and gets none.
        if drainErrors != nil {
          change { state, _ in state.didDrain(generation: newGeneration) }
          continue
        }
        drainErrors = 0
        send(nil, to: decoder, generation: generation)
      }
    }
  }

  private func send(
    _ packet: (any MediaPacket)?, to decoder: any VideoDecoder, generation: UInt64
  ) {
    do {
      try decoder.send(packet)
    } catch {
      warn(error, generation: generation)
    }
  }

  private func warn(_ error: MediaError, generation: UInt64) {
    KiteLog.log(.warning, .decoder, error)
    change { state, _ in state.didFailToDecode(error, generation: generation) }
  }
}
