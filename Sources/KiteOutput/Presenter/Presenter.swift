import Glibc
import KiteCore
import KiteSystem
import KiteViews
import Wayland

/// Puts frames on a surface. Everything here happens on the presenter's thread, between two polls of its loop.
///
/// A turn: handlers of arrived events, the news of the mailbox, at most one commit, flush, poll.
final class Presenter {
  let link: RendererLink
  private let target: RendererTarget
  let thread: PollThread
  let loop: PollLoop
  private let devices: KernelDevices
  let timer: LoopTimer?

  /// Nil before `start` and after the end.
  var connection: PresenterConnection?
  var read: PreparedRead?
  var isFlushBlocked = false
  /// Whether this thread reads the socket for the main one as well: while frames come it wakes for each of them anyway.
  var lead = ReadLead()
  /// Whether what the compositor says can wait until the next frame.
  var rest = SocketRest()
  /// The socket was not polled in this turn.
  var isResting = false
  /// How often other threads had been woken for what this one has read.
  var rings = 0

  var geometry: SurfaceGeometry
  var pacer = FramePacer()
  /// What committed frames were meant for, by their number, until their feedback.
  var intents: [UInt64: FrameIntent] = [:]
  var gate = CommitGate()
  var queue = CommitQueue(isOffered: false)
  var timedCommits = TimedCommits(nil)
  var fates = FateTracker()
  var tickets: [UInt64: TicketBox] = [:]
  var commits: UInt64 = 0
  /// The frame that the surface shows, or would show if it could be seen.
  var current: VideoFrame?
  /// The commit that first showed it; nil when none has.
  var currentCommit: UInt64?
  var needsRepaint = false
  /// The view has heard that a picture of this geometry is committed.
  var isAdapted = true
  /// A buffer into which a waiting frame has been converted ahead of its time.
  var staged: ShmBuffer?
  /// The frame for which something has been made ready.
  var stagedNumber: UInt64?
  /// What making one ready takes.
  var readyCost = ReadyCost()
  /// A frame waits for nothing but the compositor's word.
  var waitsForAnswer = false
  var converter: PictureConverter?
  var converted: ConvertedBuffers?
  var direct: DirectBuffers?
  var dmabuf: DmabufSession?
  var surfaceState = SurfaceState()
  var colors = SurfaceColors(nil)
  /// Says that the surface shows a video, as long as it is used.
  var contentType: WpContentTypeV1?
  /// Made when there are subtitles for the first time.
  var subtitles: SubtitleOverlay?
  /// What is on the surface, or would be if it could be seen: what subtitles belong to.
  var shownProperties: VideoFrame.Properties?
  private var hasReportedPicture = false
  /// When an ending presenter stops waiting for answers; nil while it works.
  private(set) var closingDeadline: MonotonicTime?

  /// Feedback may come this long after the close and still count, in nanoseconds.
  private static let closingPatience: Int64 = 500_000_000

  init(
    target: RendererTarget, link: RendererLink, thread: PollThread, loop: PollLoop, devices: KernelDevices
  ) {
    self.devices = devices
    self.target = target
    self.link = link
    self.thread = thread
    self.loop = loop
    geometry = target.geometry
    timer = try? LoopTimer()
  }

  var report: @Sendable (RendererReport) -> Void { target.report }

  /// Connects and joins the loop. The loop keeps the presenter until its end.
  func start() {
    do {
      guard let timer else { throw SystemError(call: "timerfd_create", subject: "pacing frames") }
      let connection = try PresenterConnection(target: target, link: link)
      self.connection = connection
      converted = ConvertedBuffers(shm: connection.shm)
      direct = DirectBuffers(shm: connection.shm)
      colors = SurfaceColors(connection.representation)
      timedCommits = TimedCommits(connection.timing)
      queue = CommitQueue(isOffered: timedCommits.isOffered)
      dmabuf = DmabufSession(
        global: connection.dmabuf, watcher: connection.dmabufWatcher,
        absence: target.prefersDmabuf
          ? "The compositor has no linux-dmabuf." : "The view asks for wl_shm (prefersDmabuf is false).",
        syncManager: connection.synchronization, devices: devices, loop: loop
      ) { [link] in link.memoryWish = $0 }
      loop.add(timer)
      loop.add(self)
    } catch is PresenterConnection.SurfaceTaken {
      end()
    } catch {
      fail("\(error)")
      end()
    }
  }

  /// Tells the view that there is no going on.
  func fail(_ reason: String) {
    link.updateDiagnostics { $0.reason = reason }
    link.close()
    report(.failed(reason: reason))
  }

  // MARK: A turn's work

  func work(at now: MonotonicTime) {
    takeNews(at: now)
    takeSubtitleNews()
    settle(fates.tick(now))
    var next: MonotonicTime?
    if let deadline = closingDeadline {
      if endIfDone(at: now) { return }
      next = deadline > now ? deadline : nil
    } else if !isFlushBlocked {
      // While the compositor doesn't read, nothing more is sent: libwayland's buffer is bounded.
      next = showWhatIsDue(at: now)
      if let change = updateSubtitles(at: now) { next = min(next ?? change, change) }
    }
    checkQueue(at: now)
    if let deadline = queue.deadline { next = min(next ?? deadline, deadline) }
    if let deadline = fates.deadline { next = min(next ?? deadline, deadline) }
    perform(lead.tick(now))
    if let deadline = lead.deadline { next = min(next ?? deadline, deadline) }
    timer?.arm(at: next)
  }

  func perform(_ action: ReadLead.Action?) {
    switch action {
    case .lead: connection?.display.readers.lead()
    case .resign: connection?.display.readers.resign()
    case nil: break
    }
  }

  private func takeNews(at now: MonotonicTime) {
    let news = link.takeNews()
    if news.discardsPending {
      pacer.reset()
      queue.flush()
    }
    let first = link.withShelf { shelf -> UInt64? in
      shelf.sleepEnd = nil
      shelf.aimNew { pacer.aim(target: $0, duration: $1.duration.nanoseconds) }
      return shelf.entries.first?.number
    }
    // It was taken back, or let go for a newer one.
    if stagedNumber != nil, first != stagedNumber { unstage() }
    if news.geometry != geometry {
      readyCost = ReadyCost()
      geometry = news.geometry
      unstage()
      needsRepaint = current != nil
      isAdapted = false
      // The callback of the last commit may wait for the window's, and that for the picture of the new geometry.
      gate.open()
      rest.disturb()
      queue.geometryChanged(at: now)
    }
    if news.isClosed, closingDeadline == nil {
      closingDeadline = now + Self.closingPatience
      endSubtitles()
      unstage()
      current = nil
      converter = nil
    }
    if news.isSurfaceGone { surfaceState.isGone = true }
  }

  /// What was made ready is for a frame that isn't the next one, or for another geometry.
  func unstage() {
    staged = nil
    stagedNumber = nil
    dmabuf?.unstage()
  }

  /// Settles what is known of committed frames.
  func settle(_ settlements: [FateTracker.Settlement]) {
    for settlement in settlements {
      intents[settlement.commit] = nil
      queue.settled(settlement.commit, wasShown: settlement.fate == .presented)
      guard let box = tickets.removeValue(forKey: settlement.commit) else { continue }
      box.end(as: settlement.fate)
    }
  }

  /// The surface shows a picture, as far as the compositor says.
  func pictureIsShown() {
    guard !hasReportedPicture else { return }
    hasReportedPicture = true
    report(.pictureShown)
  }

  // MARK: The end

  /// Ends the presenter when nothing is left to wait for.
  private func endIfDone(at now: MonotonicTime) -> Bool {
    let isLate = closingDeadline.map { now >= $0 } ?? false
    if isLate {
      settle(fates.abandon())
      // What was committed is on the surface by now, though nothing was said of it.
      if surfaceState.attached != nil { pictureIsShown() }
    }
    guard fates.isSettled else { return false }
    // The last picture stays on the surface, and its memory with it, until the compositor gives it back.
    let areBuffersBack = [converted?.drain(), direct?.drain(), dmabuf?.drain()].allSatisfy { $0 ?? true }
    guard areBuffersBack || surfaceState.isGone else { return false }
    end()
    return true
  }

  func end() {
    link.withShelf { $0.failAll() }
    settle(fates.abandon())
    tickets.removeAll()
    staged = nil
    current = nil
    converter = nil
    endSubtitles()
    converted?.destroyAll()
    direct?.destroyAll()
    dmabuf?.end()
    read = nil
    perform(lead.stop())
    // What is still on the surface is taken off it before its objects end.
    link.close()
    if let connection {
      _ = try? connection.display.flush()
      connection.queue.close()
    }
    connection = nil
    if let timer { loop.remove(timer) }
    loop.remove(self)
    link.setFinished()
    thread.stop()
  }
}

/// A ticket that a table can hold.
final class TicketBox {
  private var ticket: FrameTicket?

  init(_ ticket: consuming FrameTicket) { self.ticket = consume ticket }

  func end(as fate: FateTracker.Fate) {
    guard let ticket = ticket.take() else { return }
    switch fate {
    case .presented: ticket.presented()
    case .superseded: ticket.superseded()
    case .failed: ticket.failed()
    }
  }
}
