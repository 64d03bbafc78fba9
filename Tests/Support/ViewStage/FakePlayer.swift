public import KiteCore
public import KiteSystem
internal import Synchronization

/// A player whose pictures come from the test.
public final class FakePlayer: Player {
  private struct Line: ~Copyable {
    var renderers: [any VideoRenderer] = []
    var frame: VideoFrame?
    var subtitles: (any SubtitlePlane)?
    var state = PlayerState()
    var calls: [String] = []
    var listeners: [AsyncStream<PlayerState>.Continuation] = []
  }

  private let line = Mutex(Line())

  /// A player that is paused and has no picture.
  public init() {
    line.withLock { $0.state.status = .paused }
  }

  public var state: PlayerState { line.withLock { $0.state } }
  public var position: MediaTime { line.withLock { $0.state.position } }

  /// What was asked of it, in order: "play", "pause", "attach", "detach".
  public var calls: [String] { line.withLock { $0.calls } }
  /// The renderer that shows.
  public var front: (any VideoRenderer)? { line.withLock { $0.renderers.last } }
  /// Whether it has a current picture.
  public var hasPicture: Bool { line.withLock { $0.frame != nil } }
  /// How many renderers are in its line.
  public var rendererCount: Int { line.withLock { $0.renderers.count } }

  public func stateChanges() -> AsyncStream<PlayerState> {
    let (stream, listener) = AsyncStream.makeStream(
      of: PlayerState.self, bufferingPolicy: .bufferingNewest(1))
    line.withLock {
      listener.yield($0.state)
      $0.listeners.append(listener)
    }
    return stream
  }

  /// Changes the state, and tells those who follow it.
  public func change(_ change: (inout PlayerState) -> Void) {
    line.withLock { line in
      change(&line.state)
      line.state.version += 1
      for listener in line.listeners { listener.yield(line.state) }
    }
  }

  public func play() {
    line.withLock { $0.calls.append("play") }
    change { $0.status = .playing }
  }

  public func pause() {
    line.withLock { $0.calls.append("pause") }
    change { $0.status = .paused }
  }

  public func attach(_ renderer: any VideoRenderer) {
    line.withLock { line in
      line.calls.append("attach")
      let wasWaiting = line.renderers.contains { $0 === renderer }
      if let front = line.renderers.last, front !== renderer {
        front.setSubtitles(nil)
        front.setActive(false)
      }
      line.renderers.removeAll { $0 === renderer }
      line.renderers.append(renderer)
      if wasWaiting { renderer.setActive(true) }
      if let subtitles = line.subtitles { renderer.setSubtitles(subtitles) }
      Self.show(line.frame?.duplicate(), in: renderer, at: .now)
    }
  }

  public func detach(_ renderer: any VideoRenderer) {
    line.withLock { line in
      line.calls.append("detach")
      let wasFront = line.renderers.last === renderer
      line.renderers.removeAll { $0 === renderer }
      guard wasFront, let front = line.renderers.last else { return }
      front.setActive(true)
      Self.show(line.frame?.duplicate(), in: front, at: .now)
    }
  }

  /// Makes `frame` the current picture, which is to be on the screen at `target`.
  public func show(_ frame: consuming VideoFrame, at target: MonotonicTime = .now) {
    var frame: VideoFrame? = consume frame
    line.withLock { line in
      line.frame = frame?.duplicate()
      guard let renderer = line.renderers.last else { return }
      Self.show(frame.take(), in: renderer, at: target)
    }
  }

  /// Shows `plane` over the pictures; nil: nothing.
  public func show(subtitles plane: (any SubtitlePlane)?) {
    line.withLock { line in
      line.subtitles = plane
      line.renderers.last?.setSubtitles(plane)
    }
  }

  /// As after a seek: frames that are not shown yet are let go.
  public func discardPending() {
    line.withLock { $0.renderers.last?.discardPending() }
  }

  private static func show(
    _ frame: consuming VideoFrame?, in renderer: any VideoRenderer, at target: MonotonicTime
  ) {
    if let frame { renderer.present(frame, at: target) }
  }
}
