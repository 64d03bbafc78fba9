import KiteCore
import KiteSystem
import KiteViews
import Wayland

/// Shows frames on a surface by the best path that there is, from a thread and a Wayland event queue of its own.
///
/// The object is the mailbox's front: every call puts something in and wakes the presenter.
final class SurfaceRenderer: ViewRenderer {
  private let link: RendererLink
  private let thread: PollThread
  /// What calls back when it changes.
  private let shownPlane = Locked<(any SubtitlePlane)?>(nil)

  /// Starts the presenter for `target`, which uses `devices`.
  ///
  /// - Throws: `SystemError` when there is no thread or descriptor to be had.
  init(target: RendererTarget, devices: KernelDevices) throws(SystemError) {
    link = RendererLink(ledger: target.ledger, geometry: target.geometry)
    thread = try PollThread(name: "kite-present")
    let stage = PresenterStage(thread: thread)
    Task { [link, thread] in
      await stage.run(target: target, link: link, thread: thread, devices: devices)
    }
  }

  deinit {
    link.close()
    thread.wake()
  }

  var lead: Int64 { link.leads.wanted }
  var earliestLead: Int64 { link.leads.earliest }

  func present(_ frame: consuming VideoFrame, at target: MonotonicTime) {
    if link.post(frame, at: target) { thread.wake() }
  }

  func recall(after time: MonotonicTime) -> RingBuffer<TimedFrame> { link.recall(after: time) }

  func discardPending() {
    link.discardPending()
    thread.wake()
  }

  func setSubtitles(_ plane: (any SubtitlePlane)?) {
    let former = shownPlane.withLock { shown -> (any SubtitlePlane)? in
      defer { shown = plane }
      return shown
    }
    former?.onChange(nil)
    link.postSubtitles { news in
      news.plane = plane
      news.hasNewPlane = true
    }
    plane?.onChange { [link, thread] in
      link.postSubtitles { $0.isChanged = true }
      thread.wake()
    }
    thread.wake()
  }

  func setActive(_ isActive: Bool) {
    link.setActive(isActive)
    thread.wake()
  }

  func update(_ geometry: SurfaceGeometry) {
    link.post(geometry)
    thread.wake()
  }

  func close() {
    link.close()
    thread.wake()
  }

  func surfaceWillEnd() {
    link.endSurface()
    thread.wake()
  }

  var memoryWish: FrameMemoryWish { link.memoryWish }
  var isFinished: Bool { link.isFinished }
  var diagnostics: RendererDiagnostics { link.diagnostics }
}

/// Puts the presenter on its thread: what is made here is made, and stays, there.
private actor PresenterStage {
  private let thread: PollThread

  init(thread: PollThread) { self.thread = thread }

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  func run(target: RendererTarget, link: RendererLink, thread: PollThread, devices: KernelDevices) {
    guard let loop = PollThread.currentLoop else { return }
    let presenter = Presenter(target: target, link: link, thread: thread, loop: loop, devices: devices)
    presenter.start()
  }
}
