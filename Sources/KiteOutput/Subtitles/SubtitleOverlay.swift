import KiteCore
import KiteSystem
import KiteViews
import Wayland

/// The subtitles of one view: what is drawn for them, and their surface. Belongs to the presenter's thread.
final class SubtitleOverlay {
  /// What the presenter takes out of its mailbox.
  struct News: Sendable {
    /// The plane; nil: none. Meaningful if `hasNewPlane`.
    var plane: (any SubtitlePlane)?
    var hasNewPlane = false
    /// The plane may say something else than before.
    var isChanged = false
    var drawn: [DrawnSubtitles] = []
  }

  private let connection: PresenterConnection
  private let worker: SubtitleWorker
  private let pool: SubtitlePool
  private var globals: PresenterConnection.SubtitleGlobals?

  private var plane: (any SubtitlePlane)?
  private var planeNumber = 0
  private var machine = SubtitleMachine()
  private var drawn: DrawnSubtitles.Content?
  private var surface: SubtitleSurface?
  /// The box on the surface.
  private var box: SubtitleBox?
  /// The buffers over each memory, by its number.
  private var buffers: [UInt64: ShmBuffer] = [:]
  /// All memory is with the compositor: nothing is drawn before some comes back.
  private var isStarved = false
  /// What was asked last, and for which time: good until its end.
  private var asked: (from: MediaTime, span: SubtitleSpan)?
  /// Whether the plane was given the time to load what it takes, before it is needed.
  private var isWarm = true
  /// What is drawn is for nobody: it only loads.
  private var isWarming = false

  /// An overlay whose drawings `link` gets.
  ///
  /// - Throws: `SystemError` when there is no thread to draw on.
  init(connection: PresenterConnection, onDrawn: @escaping @Sendable (DrawnSubtitles) -> Void)
    throws(SystemError)
  {
    self.connection = connection
    pool = SubtitlePool()
    worker = try SubtitleWorker(pool: pool, onDrawn: onDrawn)
  }

  // MARK: News

  /// Takes what others have put into the mailbox.
  func take(_ news: consuming News) {
    if news.hasNewPlane {
      plane = news.plane
      planeNumber += 1
      asked = nil
      isWarm = plane == nil
    }
    if news.isChanged { asked = nil }
    for result in news.drawn { take(result) }
  }

  private func take(_ result: DrawnSubtitles) {
    if isWarming {
      isWarming = false
      if let content = result.content { pool.giveBack(content.memory) }
      return
    }
    machine.drawn(hasFailed: result.isStarved)
    isStarved = result.isStarved && !buffers.isEmpty
    guard !result.isStarved else { return }
    if let drawn { pool.giveBack(drawn.memory) }
    drawn = result.content
  }

  /// Whether there is nothing left to do: no plane, and nothing of the former one.
  var isIdle: Bool { plane == nil && surface == nil && machine.drawing == nil && !isWarming }

  // MARK: Drawing

  /// A picture like `frame` comes next, or is shown: begins to draw what belongs to it.
  func want(_ frame: VideoFrame.Properties, in geometry: SurfaceGeometry, at now: MonotonicTime) {
    guard let plane, !isStarved, !isWarming, machine.drawing == nil,
      let key = key(of: frame, in: geometry, at: now)
    else { return }
    let job = SubtitleJob(
      plane: plane, time: plane.time(over: frame.pts, at: now), key: key, geometry: geometry,
      hasViewport: hasViewport, former: box)
    if machine.want(key) {
      isWarm = true
      worker.begin(job)
    } else if !isWarm {
      isWarm = true
      isWarming = true
      worker.begin(job)
    }
  }

  private var hasViewport: Bool { connection.viewport != nil }

  private func key(
    of frame: VideoFrame.Properties, in geometry: SurfaceGeometry, at now: MonotonicTime
  ) -> SubtitleMachine.Key? {
    guard frame.pts != .unknown,
      let canvas = SubtitleCanvas(frame: frame, geometry: geometry, hasViewport: hasViewport)
    else { return nil }
    let span = span(at: plane?.time(over: frame.pts, at: now) ?? frame.pts)
    return SubtitleMachine.Key(
      plane: planeNumber, marks: span.marks, instant: span.isAnimated ? frame.pts : nil, canvas: canvas)
  }

  /// When what is seen over `frame` changes, if it stays on the surface that long; nil: not as things are.
  func nextChange(over frame: VideoFrame.Properties, at now: MonotonicTime) -> MonotonicTime? {
    guard let plane, frame.pts != .unknown else { return nil }
    let end = span(at: plane.time(over: frame.pts, at: now)).end
    guard end.nanoseconds != .max else { return nil }
    return plane.due(end, over: frame.pts, at: now)
  }

  private func span(at time: MediaTime) -> SubtitleSpan {
    if let asked, time >= asked.from, time < asked.span.end { return asked.span }
    let span = plane?.span(at: time) ?? SubtitleSpan(marks: [], end: MediaTime(nanoseconds: .max))
    asked = (time, span)
    return span
  }

  // MARK: Showing

  /// Whether a commit of the video surface for `frame`, which is on it, would change what is seen of the subtitles.
  func wantsCommit(
    for frame: VideoFrame.Properties, in geometry: SurfaceGeometry, at now: MonotonicTime
  ) -> Bool {
    var copy = machine
    guard let key = key(of: frame, in: geometry, at: now) else { return false }
    return copy.commit(key) != .keep
  }

  /// Brings the surface to what belongs to `frame`, of which a commit follows on the video surface, at `video` of the view.
  /// Only while that may be used. Returns what is to be done after that commit.
  func prepareCommit(
    of frame: VideoFrame.Properties, in geometry: SurfaceGeometry, video: PixelRect, at now: MonotonicTime
  ) -> (() -> Void)? {
    guard let key = key(of: frame, in: geometry, at: now) else { return nil }
    var after: (() -> Void)?
    switch machine.commit(key) {
    case .keep: break
    case .hide: after = hide()
    case .show:
      if let content = drawn.take() { show(content, at: now) } else { after = hide() }
    }
    surface?.place(over: video)
    return after
  }

  private func show(_ content: DrawnSubtitles.Content, at now: MonotonicTime) {
    if globals == nil { globals = connection.bindSubtitleGlobals() }
    guard let globals else { return pool.giveBack(content.memory) }
    let surface =
      self.surface
      ?? SubtitleSurface(
        in: connection.surface, compositor: globals.compositor, subcompositor: globals.subcompositor,
        viewporter: hasViewport ? globals.viewporter : nil)
    self.surface = surface
    let buffer = buffer(over: content.memory, size: content.box.origin.size)
    buffer.willCommit(at: now) { [weak self] in self?.released(content.memory) }
    surface.show(buffer, box: content.box, ink: content.ink)
    box = content.box
  }

  private func buffer(over memory: SubtitleMemory, size: PixelSize) -> ShmBuffer {
    let id = memory.memory.id
    if let buffer = buffers[id], buffer.size == size { return buffer }
    buffers[id]?.destroy()
    let buffer = ShmBuffer(
      memory.memory, offset: 0, size: size, stride: size.width * 4, fourcc: ShmBuffer.argb8888,
      shm: connection.shm)
    buffers[id] = buffer
    return buffer
  }

  private func released(_ memory: SubtitleMemory) {
    pool.giveBack(memory)
    isStarved = false
  }

  private func hide() -> (() -> Void)? {
    guard let surface = surface.take() else { return nil }
    box = nil
    surface.clear()
    return { [weak self] in
      surface.destroy()
      self?.endBuffers()
    }
  }

  /// The surface is gone: compositors may keep what it showed for good.
  private func endBuffers() {
    for buffer in buffers.values {
      if buffer.isHeld { pool.lose() }
      buffer.destroy()
    }
    buffers.removeAll()
    isStarved = false
  }

  /// Takes the subtitles off at once, and ends.
  func close() {
    plane = nil
    machine.forget()
    surface.take()?.destroy()
    endBuffers()
    drawn = nil
    worker.close()
  }
}
