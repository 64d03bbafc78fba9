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
    /// The current picture, for renderers that come later.
    var frame: VideoFrame?
    var target = MonotonicTime.distantPast
    var epoch = Epoch(item: 0, generation: 0)
    /// What is shown over the pictures.
    var subtitles: (any SubtitlePlane)?
    /// The item, and the number of the change, that `subtitles` are from.
    var subtitleEpoch = Epoch(item: 0, generation: 0)

    /// Gives the subtitles to the renderer in front, which is another one. The one before has given them back.
    func passSubtitles() {
      if let subtitles { renderers.last?.setSubtitles(subtitles) }
    }

    /// Shows the current picture in the renderer in front.
    func redeliver(at now: MonotonicTime) {
      guard let renderer = renderers.last, frame != nil else { return }
      if let copy = frame?.duplicate() { renderer.present(copy, at: max(target, now)) }
    }
  }

  private let state = Locked(State())

  /// Puts `renderer` in front and gives it the current picture. In front already: nothing. Returns its lead.
  func attach(_ renderer: any VideoRenderer, at now: MonotonicTime) -> Int64 {
    state.withLock { state in
      if let front = state.renderers.last {
        if front === renderer { return renderer.lead }
        let wasWaiting = state.renderers.contains { $0 === renderer }
        state.renderers.removeAll { $0 === renderer }
        if state.subtitles != nil { front.setSubtitles(nil) }
        front.setActive(false)
        if wasWaiting { renderer.setActive(true) }
      }
      state.renderers.append(renderer)
      state.passSubtitles()
      state.redeliver(at: now)
      return renderer.lead
    }
  }

  /// Takes `renderer` out. When it was in front, the one before it shows again. Returns the lead of the one in front.
  func detach(_ renderer: any VideoRenderer, at now: MonotonicTime) -> Int64 {
    state.withLock { state in
      let wasFront = state.renderers.last === renderer
      if wasFront, state.subtitles != nil { renderer.setSubtitles(nil) }
      state.renderers.removeAll { $0 === renderer }
      guard let front = state.renderers.last else { return 0 }
      if wasFront {
        front.setActive(true)
        state.passSubtitles()
        state.redeliver(at: now)
      }
      return front.lead
    }
  }

  /// Makes `frame` the current picture and hands it to the renderer in front. Refused when it is from an older epoch.
  func deliver(
    _ frame: consuming VideoFrame, at target: MonotonicTime, epoch: Epoch
  ) -> (wasAccepted: Bool, lead: Int64) {
    var frame: VideoFrame? = consume frame
    return state.withLock { state in
      let lead = state.renderers.last?.lead ?? 0
      guard epoch >= state.epoch else { return (false, lead) }
      state.epoch = epoch
      state.target = target
      if let renderer = state.renderers.last, let taken = frame.take() {
        state.frame = taken.duplicate()
        renderer.present(taken, at: target)
      } else {
        state.frame = frame.take()
      }
      return (true, lead)
    }
  }

  /// Frames of older epochs are no longer wanted: those on their way are refused, those not shown yet let go. The
  /// current picture is kept within an item, for renderers to come, and forgotten with it.
  func advance(to epoch: Epoch) {
    state.withLock { state in
      guard epoch > state.epoch else { return }
      if state.frame != nil { state.renderers.last?.discardPending() }
      if epoch.item > state.epoch.item { state.frame = nil }
      state.epoch = epoch
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
  func currentFrame() -> VideoFrame? { state.withLock { $0.frame?.duplicate() } }

  /// What the renderer in front would like the memory of frames to be; nil without one.
  var memoryWish: FrameMemoryWish? { state.withLock { $0.renderers.last?.memoryWish } }

  /// The lead of the renderer in front, in nanoseconds.
  var lead: Int64 { state.withLock { $0.renderers.last?.lead ?? 0 } }
}
