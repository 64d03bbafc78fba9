import KiteSystem

extension Engine {
  /// The delivery thread: gives the renderer in front each frame when its time comes. Wakes once for a frame, or for
  /// two where the renderer takes them early.
  func runDelivery() {
    while true {
      switch turns(as: .delivery, { state, now in state.nextDelivery(at: now) }) {
      case .stop: return
      case .subtitles(let scene, let serial):
        line.setSubtitles(scene, epoch: epoch(ofChoice: serial, isRead: true))
      case .frame(let frame, let target, let generation):
        deliver(frame, at: target, generation: generation)
      case .recall(let generation):
        recall(generation: generation)
      }
    }
  }

  private func deliver(_ frame: consuming VideoFrame, at target: MonotonicTime, generation: UInt64) {
    let size = frame.properties.displaySize
    let result = line.deliver(frame, at: target, epoch: epoch(of: generation))
    if let wish = line.memoryWish { pool.wish = wish }
    change { state, now in
      state.delivered(
        generation: generation, size: size, wasAccepted: result.wasAccepted, leads: result.leads, at: now)
    }
  }

  private func recall(generation: UInt64) {
    var frames = line.recall(epoch: epoch(of: generation))
    change { state, _ in state.takeBack(&frames, generation: generation) }
  }

  /// Orders what reaches the renderers over all engines of a player and their jumps.
  func epoch(of generation: UInt64) -> RendererLine.Epoch {
    RendererLine.Epoch(item: id, generation: generation)
  }
}
