import KiteCore
import KiteSystem
import KiteViews

extension Presenter {
  /// Commits the frame that is due, or the picture anew when the geometry changed. Returns when to look again; nil
  /// when only an event can bring more to do.
  func showWhatIsDue(at now: MonotonicTime) -> MonotonicTime? {
    guard geometry.isVisible, !geometry.logicalSize.isEmpty else { return keepNewest(at: now) }
    let opening = max(gate.opening, buffersOpening(at: now))
    if queue.isWorking(at: now) { return showAhead(at: now, opening: opening) }
    switch PresentationLaw.decide(targets: waitingOpenings, now: now, opening: opening) {
    case .commit(let index):
      for _ in 0..<index { dropFirst() }
      if let deadline = stageDmabuf(at: now) { return deadline }
      if let pending = waiting.popFirst() { show(pending, at: now) }
      return nextTime(at: .now)
    case .wait(let time):
      if needsRepaint, now >= opening { repaint(at: now) }
      if now >= opening { stageFirst(at: now, due: time) }
      return time
    case .idle:
      guard needsRepaint else { return nil }
      guard now >= opening else { return opening }
      repaint(at: now)
      return nil
    }
  }

  /// From when on there is a buffer for a commit.
  func buffersOpening(at now: MonotonicTime) -> MonotonicTime {
    // Those in a queue that is stuck aren't lost: it is told by its own patience, and by that alone.
    let isQueued = queue.count > 0
    var opening = MonotonicTime.distantPast
    if let buffers = converted {
      if now >= buffers.opening, !isQueued { buffers.giveUpLost(at: now) }
      opening = max(opening, buffers.opening)
    }
    if let buffers = direct { opening = max(opening, buffers.opening) }
    if let dmabuf { opening = max(opening, dmabuf.opening) }
    return isQueued && opening != .distantPast ? .distantFuture : opening
  }

  /// After a commit the gate is closed: what waits next is looked at when the callback comes, or its patience ends.
  private func nextTime(at now: MonotonicTime) -> MonotonicTime? {
    guard !waiting.isEmpty || needsRepaint else { return nil }
    let due = waitingOpenings.min().map { $0 - PresentationLaw.slack } ?? now
    return max(due, gate.opening)
  }

  /// When the waiting frames may be committed: their targets, where vblanks aren't known.
  private var waitingOpenings: [MonotonicTime] {
    (0..<waiting.count).compactMap { index in
      waiting.withElement(at: index) { pacer.opening(for: $0.target, aim: $0.aim) }
    }
  }

  /// Nothing can be seen: frames that fall due are let go, but the newest is kept for the return.
  private func keepNewest(at now: MonotonicTime) -> MonotonicTime? {
    while let target = waiting.withElement(at: 0, { $0.target }) {
      guard now >= target - PresentationLaw.slack else { return target - PresentationLaw.slack }
      if let pending = waiting.popFirst() {
        current = pending.frame.duplicate()
        currentCommit = nil
        shownProperties = pending.frame.properties
        needsRepaint = true
        pending.supersede()
      }
    }
    return nil
  }

  /// Converts the first waiting frame before it is due, so that its commit only has to be sent.
  private func stageFirst(at now: MonotonicTime, due: MonotonicTime) {
    _ = stageDmabuf(at: now)
    // With less than 2 ms to go the frame may as well be converted when it is due; a newer one may be due by then.
    guard staged == nil, due - now > 2_000_000, let connection else { return }
    guard let converter = pictureConverter(), let buffers = converted else { return }
    staged =
      waiting.withElement(at: 0) { pending -> ShmBuffer? in
        let path = path(of: pending.frame, through: connection)
        guard path.kind == .xrgb8888 || path.kind == .xrgb2101010 else { return nil }
        return try? converter.convert(pending.frame, path: path, geometry: geometry, buffers: buffers)
      } ?? nil
  }

  /// Has the compositor asked about the memory of the first waiting frame, if that is to be a dmabuf. Returns until when
  /// the answer is to be waited for; nil when there is none to be waited for.
  func stageDmabuf(at now: MonotonicTime) -> MonotonicTime? {
    guard let connection, let dmabuf else { return nil }
    return waiting.withElement(at: 0) { pending -> MonotonicTime? in
      guard case .dmabuf(let choice) = path(of: pending.frame, through: connection).kind else { return nil }
      return dmabuf.stage(pending.frame, choice, at: now)
    } ?? nil
  }

  /// The best path for a frame, by what is known of the compositor now.
  func path(
    of frame: borrowing VideoFrame, through connection: PresenterConnection, avoidsDmabuf: Bool = false
  ) -> FramePath {
    if let dmabuf { connection.traits.dmabuf = dmabuf.terms }
    return FramePath(
      for: frame.properties, memory: frame.memory, compositor: connection.traits, avoidsDmabuf: avoidsDmabuf)
  }

  /// The converter for the frames to come; made when first needed.
  func pictureConverter() -> PictureConverter? {
    if converter == nil, let connection {
      converter = PictureConverter(hasViewport: connection.viewport != nil)
    }
    return converter
  }
}
