import KiteSystem

/// The renderers of one player, in the order of their attaching; the last one shows.
///
/// Its lock is held while a renderer is called, so that calls come one at a time and none is under way once `detach` has
/// returned. Renderers neither block nor call back: nobody waits long for it.
final class RendererLine: Sendable {
  /// Newer items, and newer generations of an item, are larger.
  struct Epoch: Hashable, Comparable {
    var item: UInt64
    var generation: UInt64
    static func < (a: Epoch, b: Epoch) -> Bool { (a.item, a.generation) < (b.item, b.generation) }
  }

  private struct State: ~Copyable {
    var renderers: [any VideoRenderer] = []
    /// The current picture, and those ahead of it, for renderers that come later.
    var trail = PictureTrail()
    var epoch = Epoch(item: 0, generation: 0)
    /// What is shown over the pictures.
    var subtitles: (any SubtitlePlane)?
    /// The item, and the number of the change, that `subtitles` are from.
    var subtitleEpoch = Epoch(item: 0, generation: 0)

    /// Gives the subtitles to the renderer in front, which is another one. The one before has given them back.
    func passSubtitles() {
      if let subtitles { renderers.last?.setSubtitles(subtitles) }
    }

    /// Shows the current picture in the renderer in front, and hands on those ahead.
    mutating func redeliver(at now: MonotonicTime) {
      guard let renderer = renderers.last else { return }
      trail.forEach(at: now) { frame, target in renderer.present(frame, at: max(target, now)) }
    }

    /// Frames of older epochs are no longer wanted.
    mutating func move(to newer: Epoch, at now: MonotonicTime) {
      guard newer > epoch else { return }
      if !trail.isEmpty { renderers.last?.discardPending() }
      if newer.item > epoch.item { trail.removeAll() } else { trail.dropAhead(at: now) }
      epoch = newer
    }

    /// When the renderer in front wants frames.
    var leads: Leads { renderers.last.map { Leads($0) } ?? Leads() }
  }

  /// How long before their targets frames are wanted, and how long before they may come, in nanoseconds.
  struct Leads: Hashable {
    var wanted: Int64 = 0
    var earliest: Int64 = 0

    init() {}

    init(_ renderer: any VideoRenderer) {
      wanted = renderer.lead
      earliest = max(wanted, renderer.earliestLead)
    }
  }

  private let state = Locked(State())
  private let time: any TimeSource

  init(time: any TimeSource = KernelTime.shared) { self.time = time }

  /// Puts `renderer` in front and gives it the current picture. In front already: nothing. Returns its leads.
  func attach(_ renderer: any VideoRenderer, at now: MonotonicTime) -> Leads {
    state.withLock { state in
      if let front = state.renderers.last {
        if front === renderer { return state.leads }
        // They are the new one's.
        _ = front.recall(after: now)
        let wasWaiting = state.renderers.contains { $0 === renderer }
        state.renderers.removeAll { $0 === renderer }
        if state.subtitles != nil { front.setSubtitles(nil) }
        front.setActive(false)
        if wasWaiting { renderer.setActive(true) }
      }
      state.renderers.append(renderer)
      state.passSubtitles()
      state.redeliver(at: now)
      return state.leads
    }
  }

  /// Takes `renderer` out. When it was in front, the one before it shows again. Returns the leads of the one in front.
  func detach(_ renderer: any VideoRenderer, at now: MonotonicTime) -> Leads {
    state.withLock { state in
      let wasFront = state.renderers.last === renderer
      if wasFront, state.subtitles != nil { renderer.setSubtitles(nil) }
      state.renderers.removeAll { $0 === renderer }
      guard let front = state.renderers.last else { return Leads() }
      if wasFront {
        front.setActive(true)
        state.passSubtitles()
        state.redeliver(at: now)
      }
      return state.leads
    }
  }

  /// Makes `frame` the current picture, from `target` on, and hands it to the renderer in front. Refused when it is from an
  /// older epoch.
  func deliver(
    _ frame: consuming VideoFrame, at target: MonotonicTime, epoch: Epoch
  ) -> (wasAccepted: Bool, leads: Leads) {
    var frame: VideoFrame? = consume frame
    return state.withLock { state in
      let leads = state.leads
      guard epoch >= state.epoch, let taken = frame.take() else { return (false, leads) }
      let now = time.now
      // The first picture of a jump may come before the word of the jump.
      state.move(to: epoch, at: now)
      if let renderer = state.renderers.last {
        state.trail.append(TimedFrame(taken.duplicate(), at: target), at: now)
        renderer.present(taken, at: target)
      } else {
        state.trail.append(TimedFrame(taken, at: target), at: now)
      }
      return (true, leads)
    }
  }

  /// Takes back what the renderer in front was given of `epoch` and is to show after now, the oldest first.
  func recall(epoch: Epoch) -> RingBuffer<TimedFrame> {
    state.withLock { state in
      guard epoch == state.epoch, let renderer = state.renderers.last else { return RingBuffer(capacity: 1) }
      let frames = renderer.recall(after: time.now)
      if let first = frames.withElement(at: 0, { $0.target }) { state.trail.takeBack(from: first) }
      return frames
    }
  }

  /// Frames of older epochs are no longer wanted: those on their way are refused, those not shown yet let go. The
  /// current picture is kept within an item, for renderers to come, and forgotten with it.
  func advance(to epoch: Epoch) {
    state.withLock { state in
      guard epoch > state.epoch else { return }
      state.move(to: epoch, at: time.now)
      guard epoch.item > state.subtitleEpoch.item, state.subtitles != nil else { return }
      state.subtitles = nil
      state.renderers.last?.setSubtitles(nil)
    }
  }

  /// Shows `plane` over the pictures; nil: nothing. A change that is older than the one before is ignored, as is one of a
  /// former item.
  func setSubtitles(_ plane: (any SubtitlePlane)?, epoch: Epoch) {
    state.withLock { state in
      guard epoch >= state.subtitleEpoch, epoch.item >= state.epoch.item else { return }
      state.subtitleEpoch = epoch
      guard plane !== state.subtitles else { return }
      state.subtitles = plane
      state.renderers.last?.setSubtitles(plane)
    }
  }

  /// A second frame over the memory of the current picture; nil before the first.
  func currentFrame() -> VideoFrame? { state.withLock { $0.trail.current(at: time.now) } }

  /// What the renderer in front would like the memory of frames to be; nil without one.
  var memoryWish: FrameMemoryWish? { state.withLock { $0.renderers.last?.memoryWish } }
}
