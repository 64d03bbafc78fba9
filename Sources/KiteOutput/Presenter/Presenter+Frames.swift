import KiteCore
import KiteSystem
import KiteViews

extension Presenter {
  /// Commits the frame that is due, or the picture anew when the geometry changed. Returns when to look again; nil
  /// when only an event can bring more to do.
  func showWhatIsDue(at now: MonotonicTime) -> MonotonicTime? {
    waitsForAnswer = false
    guard geometry.isVisible, !geometry.logicalSize.isEmpty else { return keepNewest(at: now) }
    let opening = max(gate.opening, buffersOpening(at: now))
    if queue.isWorking(at: now) { return showAhead(at: now, opening: opening) }
    let waiting = link.withShelf { $0.entries }
    switch PresentationLaw.decide(targets: waiting.lazy.map(openTime), now: now, opening: opening) {
    case .commit(let index):
      if let time = showWaiting(waiting[index].number, at: now) { return time }
      return nextLook(at: link.withShelf { $0.entries }, opening: gate.opening, now: .now)
    case .wait:
      if needsRepaint, now >= opening { repaint(at: now) }
      if let first = waiting.first, now >= opening, stage(first, at: now) { return showWhatIsDue(at: .now) }
      let next = nextLook(at: waiting, opening: opening, now: .now)
      return needsRepaint ? min(next ?? opening, opening) : next
    case .idle:
      guard needsRepaint else { return nil }
      guard now >= opening else { return opening }
      repaint(at: now)
      return nil
    }
  }

  /// Puts a waiting frame on the surface, in the place of those before it. Returns when to look again where it can't be yet:
  /// at once where it was taken back meanwhile; nil: it is shown.
  func showWaiting(_ number: UInt64, at now: MonotonicTime) -> MonotonicTime? {
    guard link.withShelf({ $0.reach(number) }) else { return now }
    if stagedNumber != number { unstage() }
    if let deadline = stageDmabuf(number, at: now) { return deadline }
    guard let pending = link.withShelf({ $0.take(number) }) else { return now }
    show(pending, at: now)
    return nil
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

  /// When to look at the waiting frames again: when the first one is to be made ready or is due; if it is already, when the
  /// compositor has answered, or its patience ends.
  private func nextLook(at waiting: [FrameShelf.Entry], opening: MonotonicTime, now: MonotonicTime)
    -> MonotonicTime?
  {
    guard let first = waiting.first, let earliest = waiting.lazy.map(openTime).min() else { return nil }
    let due = earliest - PresentationLaw.slack
    let wanted = isMadeReady(first) ? min(due, readyStart(of: first)) : due
    guard wanted <= now else { return wanted }
    waitsForAnswer = now < opening
    return max(due, opening)
  }

  /// When a waiting frame may be committed: at its target, where vblanks aren't known.
  private func openTime(of entry: FrameShelf.Entry) -> MonotonicTime {
    pacer.opening(for: entry.target, aim: entry.aim)
  }

  /// Nothing can be seen: frames that fall due are let go, but the newest is kept for the return.
  private func keepNewest(at now: MonotonicTime) -> MonotonicTime? {
    while let next = link.withShelf({ $0.entries.first }) {
      guard now >= next.target - PresentationLaw.slack else { return next.target - PresentationLaw.slack }
      guard let pending = link.withShelf({ $0.take(next.number) }) else { continue }
      current = pending.frame.duplicate()
      currentCommit = nil
      shownProperties = pending.frame.properties
      needsRepaint = true
      pending.supersede()
    }
    return nil
  }

  /// Whether something takes time before the frame can be committed: it is converted, or copied.
  private func isMadeReady(_ entry: FrameShelf.Entry) -> Bool {
    guard let connection, entry.number != stagedNumber, let frame = link.withShelf({ $0.first() }) else {
      return false
    }
    switch path(of: frame, through: connection).kind {
    case .direct: return false
    case .dmabuf(let choice): return choice.copy != nil
    case .xrgb8888, .xrgb2101010: return true
    }
  }

  /// Makes the first waiting frame ready before it is due, so that its commit only has to be sent. Whether anything was
  /// done.
  private func stage(_ first: FrameShelf.Entry, at now: MonotonicTime) -> Bool {
    guard first.number != stagedNumber else { return false }
    guard isMadeReady(first) else {
      // Whether the compositor takes such memory can be asked at any time.
      _ = stageDmabuf(first.number, at: now)
      return false
    }
    guard now >= readyStart(of: first) else { return false }
    _ = stageDmabuf(first.number, at: now)
    if stagedNumber == nil { convert(first.number) }
    guard stagedNumber != nil else { return false }
    readyCost.add(.now - now)
    return true
  }

  /// When to begin to make a frame ready. Not long before it is due: it may be taken back, and the buffer that it is
  /// converted into is on the screen until the frame before it is. Where that takes a moment only, so that it is ready just
  /// when it is due, one wake does for both.
  private func readyStart(of entry: FrameShelf.Entry) -> MonotonicTime {
    let due = openTime(of: entry) - PresentationLaw.slack
    guard let cost = readyCost.usual, cost <= ReadyCost.moment else {
      return min(due, entry.target - FrameLeads.usual)
    }
    // Where it may not go out any earlier it is done then: there is most of a refresh left.
    return pacer.period == nil ? due - cost * 3 / 4 : due
  }

  private func convert(_ number: UInt64) {
    guard let connection, let converter = pictureConverter(), let buffers = converted,
      let frame = link.withShelf({ $0.first() })
    else { return }
    let path = path(of: frame, through: connection)
    guard path.kind == .xrgb8888 || path.kind == .xrgb2101010 else { return }
    staged = try? converter.convert(frame, path: path, geometry: geometry, buffers: buffers)
    if staged != nil { stagedNumber = number }
  }

  /// Has the compositor asked about the memory of the first waiting frame, if that is to be a dmabuf. Returns until when
  /// the answer is to be waited for; nil when there is none to be waited for.
  func stageDmabuf(_ number: UInt64, at now: MonotonicTime) -> MonotonicTime? {
    guard let connection, let dmabuf, let frame = link.withShelf({ $0.first() }),
      case .dmabuf(let choice) = path(of: frame, through: connection).kind
    else { return nil }
    stagedNumber = number
    return dmabuf.stage(frame, choice, at: now)
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
