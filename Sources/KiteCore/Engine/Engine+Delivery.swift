import KiteSystem

extension Engine {
  /// The delivery thread: gives the renderer in front each frame when its time comes. Wakes once for a frame.
  func runDelivery() {
    while true {
      switch turns(as: .delivery, { state, now in state.nextDelivery(at: now) }) {
      case .stop: return
      case .subtitles(let scene, let serial):
        line.setSubtitles(scene, epoch: epoch(ofChoice: serial, isRead: true))
      case .frame(let frame, let target, let generation):
        deliver(frame, at: target, generation: generation)
      }
    }
  }

  private func deliver(_ frame: consuming VideoFrame, at target: MonotonicTime, generation: UInt64) {
    let size = frame.properties.displaySize
    let result = line.deliver(frame, at: target, epoch: epoch(of: generation))
    if let wish = line.memoryWish { pool.wish = wish }
    change { state, now in
      state.delivered(
        generation: generation, size: size, wasAccepted: result.wasAccepted, lead: result.lead, at: now)
    }
  }

  /// Orders what reaches the renderers over all engines of a player and their jumps.
  func epoch(of generation: UInt64) -> RendererLine.Epoch {
    RendererLine.Epoch(item: id, generation: generation)
  }
}
