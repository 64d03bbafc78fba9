import KiteCore
import KiteSystem
import KiteViews

/// What the callers of a renderer and its presenter thread share: a mailbox, and the right to use the surface.
final class RendererLink: Sendable {
  /// What the presenter takes out of the mailbox at once.
  struct News: ~Copyable {
    var frames: RingBuffer<PendingFrame>
    var geometry: SurfaceGeometry
    var discardsPending: Bool
    var isClosed: Bool
    var isSurfaceGone: Bool
  }

  private struct Mailbox: ~Copyable {
    var frames = RingBuffer<PendingFrame>(capacity: RendererLink.capacity)
    var geometry: SurfaceGeometry
    var discardsPending = false
    var isActive = true
    var isClosed = false
    var isSurfaceGone = false
  }

  /// Frames that wait for their time, at the most. With a lead of 20 ms two are due at 60 Hz; each holds 3 MB at 1080p.
  static let capacity = 4

  /// How long before its time a frame is wanted, in nanoseconds: 20 ms. It goes out up to a refresh before, and converting
  /// a 4K frame takes up to 8 ms. Each frame that waits longer costs its memory: 3 MB at 1080p.
  static let usualLead: Int64 = 20_000_000

  let ledger: FrameLedger
  private let mailbox: Locked<Mailbox>
  /// Whether requests may be made on the surface. Held over a commit's few requests, never over a conversion.
  private let surface = Locked(SurfaceUse())
  private let finished = Locked(false)
  private let shown = Locked(RendererDiagnostics())
  private let recorded = Locked(PresentationRecord())
  private let wish = Locked(FrameMemoryWish())
  private let wantedLead = Locked(RendererLink.usualLead)
  private let subtitles = Locked<SubtitleOverlay.News?>(nil)

  init(ledger: FrameLedger, geometry: SurfaceGeometry) {
    self.ledger = ledger
    mailbox = Locked(Mailbox(geometry: geometry))
  }

  // MARK: The renderer's side

  /// Takes a frame on, where there is no room at the expense of the newest one that waits: were it the oldest, the frames of
  /// a film with more of them than fit before their time would push each other out, and none would ever be due.
  func post(_ frame: consuming VideoFrame, at target: MonotonicTime) {
    var frame: VideoFrame? = consume frame
    mailbox.withLock { mailbox in
      guard !mailbox.isClosed, mailbox.isActive, let taken = frame.take() else { return }
      if mailbox.frames.isFull { mailbox.frames.popLast()?.supersede() }
      let pending = PendingFrame(frame: taken, ticket: ledger.accept(), target: target)
      // There is room; were there none, it would be the newest that is lost.
      mailbox.frames.append(pending)?.fail()
    }
  }

  func post(_ geometry: SurfaceGeometry) {
    mailbox.withLock { $0.geometry = geometry }
  }

  func discardPending() {
    mailbox.withLock { mailbox in
      mailbox.discardsPending = true
      while let pending = mailbox.frames.popFirst() { pending.supersede() }
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
      while let pending = mailbox.frames.popFirst() { pending.fail() }
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
  /// How long before its time a frame is wanted, in nanoseconds; the presenter knows.
  var lead: Int64 {
    get { wantedLead.withLock { $0 } }
    set { wantedLead.withLock { $0 = newValue } }
  }
  /// What the memory of frames should be; the presenter knows.
  var memoryWish: FrameMemoryWish {
    get { wish.withLock { $0 } }
    set { wish.withLock { $0 = newValue } }
  }

  // MARK: The presenter's side

  /// Empties the mailbox.
  func takeNews() -> News {
    mailbox.withLock { mailbox in
      var frames = RingBuffer<PendingFrame>(capacity: Self.capacity)
      swap(&frames, &mailbox.frames)
      defer { mailbox.discardsPending = false }
      return News(
        frames: frames, geometry: mailbox.geometry, discardsPending: mailbox.discardsPending,
        isClosed: mailbox.isClosed, isSurfaceGone: mailbox.isSurfaceGone)
    }
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
