import KiteCore
import KiteSystem
import KiteViews

/// What is to be drawn.
struct SubtitleJob: Sendable {
  var plane: any SubtitlePlane
  var time: MediaTime
  var key: SubtitleMachine.Key
  var geometry: SurfaceGeometry
  var hasViewport: Bool
  /// The box of what is shown.
  var former: SubtitleBox?
}

/// What came of a job.
struct DrawnSubtitles: Sendable {
  /// Nothing could be drawn for want of memory.
  var isStarved = false
  /// The drawing; nil where there is nothing to see.
  var content: Content?

  struct Content: Sendable {
    let memory: SubtitleMemory
    let box: SubtitleBox
    /// Where the drawing is, in pixels of the buffer.
    let ink: PixelRect
  }
}

/// A thread that draws subtitles: it may take its time, and whoever waits for it waits in vain for nothing.
final class SubtitleWorker: Sendable {
  private struct Mailbox {
    var job: SubtitleJob?
    var isClosed = false
  }

  private let thread: PollThread
  private let mailbox = Locked(Mailbox())
  let pool: SubtitlePool

  /// Starts the thread. `onDrawn` is called on it.
  ///
  /// - Throws: `SystemError` when there is no thread or descriptor to be had.
  init(pool: SubtitlePool, onDrawn: @escaping @Sendable (DrawnSubtitles) -> Void) throws(SystemError) {
    self.pool = pool
    thread = try PollThread(name: "kite-text")
    let desk = SubtitleDesk(thread: thread)
    Task { await desk.open(for: self, onDrawn: onDrawn) }
  }

  /// Draws `job`; there is none under way.
  func begin(_ job: SubtitleJob) {
    mailbox.withLock { $0.job = job }
    thread.wake()
  }

  /// Ends the thread, as soon as what it draws is drawn. Nobody waits for that.
  func close() {
    mailbox.withLock { mailbox in
      mailbox.isClosed = true
      mailbox.job = nil
    }
    thread.wake()
  }

  fileprivate var isClosed: Bool { mailbox.withLock { $0.isClosed } }
  fileprivate func takeJob() -> SubtitleJob? { mailbox.withLock { $0.job.take() } }

  fileprivate func draw(_ job: SubtitleJob) -> DrawnSubtitles {
    var drawn = DrawnSubtitles()
    job.plane.draw(at: job.time, on: job.key.canvas) { drawing in
      guard
        let box = SubtitleBox(
          around: drawing.bounds, in: job.geometry, hasViewport: job.hasViewport, former: job.former)
      else { return }
      let size = box.origin.size
      let ink = drawing.bounds.intersection(box.origin)
      guard !ink.size.isEmpty else { return }
      guard let memory = pool.take(byteCount: size.width * size.height * 4) else {
        drawn.isStarved = true
        return
      }
      let part = PixelRect(
        x: ink.x - box.origin.x, y: ink.y - box.origin.y, width: ink.width, height: ink.height)
      memory.draw(drawing, in: box, ink: part)
      drawn.content = DrawnSubtitles.Content(memory: memory, box: box, ink: part)
    }
    return drawn
  }

  fileprivate func end() { thread.stop() }
}

/// Puts the worker's loop on its thread.
private actor SubtitleDesk {
  private let thread: PollThread

  init(thread: PollThread) { self.thread = thread }

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  func open(for worker: SubtitleWorker, onDrawn: @escaping @Sendable (DrawnSubtitles) -> Void) {
    guard let loop = PollThread.currentLoop else { return }
    loop.add(WorkerSource(worker: worker, loop: loop, onDrawn: onDrawn))
  }
}

/// The jobs, as a source of the loop: looked for whenever it wakes.
private final class WorkerSource: PollSource {
  private let worker: SubtitleWorker
  private let loop: PollLoop
  private let onDrawn: @Sendable (DrawnSubtitles) -> Void

  init(worker: SubtitleWorker, loop: PollLoop, onDrawn: @escaping @Sendable (DrawnSubtitles) -> Void) {
    self.worker = worker
    self.loop = loop
    self.onDrawn = onDrawn
  }

  var descriptor: Int32 { -1 }
  func process(_ events: PollEvents) {}

  func prepare() -> PollEvents {
    while let job = worker.takeJob() { onDrawn(worker.draw(job)) }
    if worker.isClosed {
      loop.remove(self)
      worker.end()
    }
    return []
  }
}
