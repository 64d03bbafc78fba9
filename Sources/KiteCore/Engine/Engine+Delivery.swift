import KiteSystem

extension Engine {
  /// The delivery thread: gives the renderer in front each frame when its time comes. Wakes once for a frame.
  func runDelivery() {
    while true {
      let delivery = turns(as: .delivery) { state, now in state.nextDelivery(at: now) }
      guard case .frame(let frame, let target, let generation) = consume delivery else { return }
      let size = frame.properties.displaySize
      let result = line.deliver(frame, at: target, epoch: epoch(of: generation))
      if let wish = line.memoryWish { pool.wish = wish }
      change { state, now in
        state.delivered(
          generation: generation, size: size, wasAccepted: result.wasAccepted, lead: result.lead, at: now)
      }
    }
  }

  /// Orders what reaches the renderers over all engines of a player and their jumps.
  func epoch(of generation: UInt64) -> RendererLine.Epoch {
    RendererLine.Epoch(item: id, generation: generation)
  }
}
