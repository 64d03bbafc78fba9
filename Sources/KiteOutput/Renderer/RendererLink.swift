import KiteCore
import KiteSystem
import KiteViews

/// What the callers of a renderer and its presenter thread share: a mailbox, and the right to use the surface.
final class RendererLink: Sendable {
  /// What the presenter takes out of the mailbox at once.
  struct News {
    var geometry: SurfaceGeometry
    var discardsPending: Bool
    var isClosed: Bool
    var isSurfaceGone: Bool
  }

  private struct Mailbox: ~Copyable {
    var shelf = FrameShelf()
    var geometry: SurfaceGeometry
    var discardsPending = false
    var isActive = true
    var isClosed = false
    var isSurfaceGone = false
  }

  let ledger: FrameLedger
  private let mailbox: Locked<Mailbox>
  /// Whether requests may be made on the surface. Held over a commit's few requests, never over a conversion.
  private let surface = Locked(SurfaceUse())
  private let finished = Locked(false)
  private let shown = Locked(RendererDiagnostics())
  private let recorded = Locked(PresentationRecord())
  private let wish = Locked(FrameMemoryWish())
  private let wantedLeads = Locked(FrameLeads())
  private let subtitles = Locked<SubtitleOverlay.News?>(nil)

  init(ledger: FrameLedger, geometry: SurfaceGeometry) {
    self.ledger = ledger
    mailbox = Locked(Mailbox(geometry: geometry))
  }

  // MARK: The renderer's side

  /// Takes a frame on. Whether the presenter has to be woken for it.
  func post(_ frame: consuming VideoFrame, at target: MonotonicTime) -> Bool {
    var frame: VideoFrame? = consume frame
    return mailbox.withLock { mailbox in
      guard !mailbox.isClosed, mailbox.isActive, let taken = frame.take() else { return false }
      return mailbox.shelf.append(taken, at: target, ledger: ledger)
    }
  }

  /// Gives back what is to be seen after `time`.
  func recall(after time: MonotonicTime) -> RingBuffer<TimedFrame> {
    mailbox.withLock { mailbox in
      // Who has closed has settled its frames.
      mailbox.isClosed ? RingBuffer(capacity: 1) : mailbox.shelf.recall(after: time)
    }
  }

  func post(_ geometry: SurfaceGeometry) {
    mailbox.withLock { $0.geometry = geometry }
  }

  func discardPending() {
    mailbox.withLock { mailbox in
      mailbox.discardsPending = true
      mailbox.shelf.supersedeAll()
    }
  }

  func setActive(_ isActive: Bool) {
    // Frames that are here already are still shown: the last of them is the picture that stays, at any size to come.
    mailbox.withLock { $0.isActive = isActive }
  }

  /// Puts something into the mailbox of the subtitles; the presenter has to be woken.
  func postSubtitles(_ change: (inout SubtitleOverlay.News) -> Void) {
    subtitles.withLock { news in
      var changed = news ?? SubtitleOverlay.News()
      change(&changed)
      news = changed
    }
  }

  /// Ends the acceptance of frames and the use of the surface.
  func close() {
    mailbox.withLock { mailbox in
      mailbox.isClosed = true
      mailbox.shelf.failAll()
    }
    surface.withLock { $0.end() }
  }

  func endSurface() {
    close()
    mailbox.withLock { $0.isSurfaceGone = true }
  }

  var isFinished: Bool { finished.withLock { $0 } }
  var diagnostics: RendererDiagnostics {
    var diagnostics = shown.withLock { $0 }
    diagnostics.pace = recorded.withLock { $0.report }
    return diagnostics
  }
  /// How long before their times frames are wanted; the presenter knows.
  var leads: FrameLeads {
    get { wantedLeads.withLock { $0 } }
    set { wantedLeads.withLock { $0 = newValue } }
  }
  /// What the memory of frames should be; the presenter knows.
  var memoryWish: FrameMemoryWish {
    get { wish.withLock { $0 } }
    set { wish.withLock { $0 = newValue } }
  }

  // MARK: The presenter's side

  /// Empties the mailbox, but for the frames.
  func takeNews() -> News {
    mailbox.withLock { mailbox in
      defer { mailbox.discardsPending = false }
      return News(
        geometry: mailbox.geometry, discardsPending: mailbox.discardsPending,
        isClosed: mailbox.isClosed, isSurfaceGone: mailbox.isSurfaceGone)
    }
  }

  /// Looks at the frames that wait, or takes them. Nobody who brings one waits long for `body`.
  func withShelf<Result: ~Copyable>(_ body: (inout FrameShelf) -> Result) -> Result {
    mailbox.withLock { body(&$0.shelf) }
  }

  /// Empties the mailbox of the subtitles; nil when nothing is in it.
  func takeSubtitleNews() -> SubtitleOverlay.News? { subtitles.withLock { $0.take() } }

  /// Runs `body` while the surface may be used; nothing when it may not.
  func withSurface(_ body: (inout SurfaceUse) -> Void) {
    surface.withLock { use in
      if use.isUsable { body(&use) }
    }
  }

  /// Counts a frame that was shown.
  func record(
    _ intent: FrameIntent, presentedAt time: MonotonicTime, sequence: UInt64?, period: Double?
  ) {
    recorded.withLock { $0.presented(intent, at: time, sequence: sequence, period: period) }
  }

  func setFinished() { finished.withLock { $0 = true } }

  func updateDiagnostics(_ change: (inout RendererDiagnostics) -> Void) {
    shown.withLock { change(&$0) }
  }
}
