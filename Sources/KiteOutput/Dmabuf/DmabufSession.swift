import KiteCore
import KiteSystem
import Wayland
import WaylandToolkit

/// Everything of one presenter that concerns dmabufs. Belongs to its thread.
///
/// A presenter without dmabufs (none offered, none wanted) has one too: it knows why.
final class DmabufSession {
  /// What decides whether frames can be dmabufs, as of now.
  private(set) var terms: DmabufTerms
  /// A copy of the first waiting frame, made ahead of its time.
  private var stagedCopy: VideoFrame?
  private let buffers: DmabufBuffers?
  private let watcher: DmabufWatcher?
  private let fences: FenceKeeper
  private let maker: any DmabufMaker
  private var copier: FrameCopier?
  private var hasRefusedDeviceFrame = false
  /// Told what the memory of frames should be, when that changes.
  private let onWish: (FrameMemoryWish) -> Void
  private var wish = FrameMemoryWish()
  /// Nil where the compositor has no explicit synchronization.
  private(set) var sync: ExplicitSync?

  /// - Parameters:
  ///   - syncManager: explicit synchronization; nil where the compositor has none.
  ///   - watcher: follows the compositor's offer; nil for no dmabufs, because of `absence`.
  init(
    global: ZwpLinuxDmabufV1?, watcher: DmabufWatcher?, absence: String,
    syncManager: WpLinuxDrmSyncobjManagerV1?, devices: KernelDevices, loop: PollLoop,
    onWish: @escaping (FrameMemoryWish) -> Void
  ) {
    maker = devices.dmabufs
    self.watcher = watcher
    self.onWish = onWish
    fences = FenceKeeper(loop: loop)
    terms = DmabufTerms(offer: watcher?.offer, absence: absence)
    guard let global, let watcher else {
      buffers = nil
      return
    }
    var refused: ((DmabufFormat) -> Void)?
    buffers = DmabufBuffers(global, fences: fences) { refused?($0) }
    terms.absence = "The compositor has not said what dmabufs it takes."
    let found = maker.probe()
    terms.exporters = found.exporters
    if found.exporters.isEmpty {
      let problems = found.problems.map(\.description).joined(separator: "; ")
      terms.exportProblem = "This process can't make dmabufs: \(problems)."
    }
    refused = { [weak self] in self?.terms.refuse($0) }
    sync = syncManager.map { manager in
      ExplicitSync(
        manager: manager, opener: devices.sync, loop: loop,
        mainDevice: { [weak self] in self?.terms.offer?.mainDevice },
        onEnd: { [weak self] in self?.buffers?.mayCommitWithPoints = false })
    }
    watcher.onChange = { [weak self] in self?.offerChanged() }
    updateWish()
  }

  private func offerChanged() {
    terms.offer = watcher?.offer
    hasRefusedDeviceFrame = false
    let terms = terms
    buffers?.forget { format in
      terms.offer?.tranche(for: format) == nil || terms.refused.contains { $0.format == format }
    }
    updateWish()
  }

  private func updateWish() {
    var new = FrameMemoryWish()
    if let offer = terms.offer, !offer.isEmpty {
      new.takesDeviceFrames = !hasRefusedDeviceFrame
      if let best = terms.exporters.first { new.backing = best.backing }
    }
    guard new != wish else { return }
    wish = new
    onWish(new)
  }

  /// A device's frame could not be shown: its decoder is asked for readable ones.
  func refuseDeviceFrames() {
    hasRefusedDeviceFrame = true
    updateWish()
  }

  // MARK: Frames

  /// A buffer that may be committed, and the frame that it is to keep until its release.
  struct Prepared: ~Copyable {
    let buffer: DmabufBuffer
    /// Nil when the surface shows the buffer already and the compositor has not given it back.
    let frame: VideoFrame?
    /// The points of its commit; nil where it is synchronized implicitly.
    var points: BufferSync.Points?
  }

  /// Has the compositor asked about the memory of the first waiting frame, which is copied before where `choice` says
  /// so. Returns until when the answer is to be waited for; nil when there is nothing to be waited for.
  func stage(_ frame: borrowing VideoFrame, _ choice: DmabufChoice, at now: MonotonicTime) -> MonotonicTime? {
    var source: DmabufSource?
    if let copy = choice.copy {
      if stagedCopy == nil { stagedCopy = self.copy(of: frame, into: copy) }
      if let staged = stagedCopy.take() {
        source = self.source(of: staged, choice)
        stagedCopy = consume staged
      }
    } else {
      source = self.source(of: frame, choice)
    }
    guard let source, let buffers, case .pending(let deadline) = buffers.readiness(of: source, at: now) else {
      return nil
    }
    return deadline
  }

  /// What to commit for `frame`; nil when it can't be a dmabuf now.
  ///
  /// - Parameters:
  ///   - isStaged: whether it is the frame that was given to `stage` last.
  ///   - attached: what the surface shows.
  func prepare(
    _ frame: borrowing VideoFrame, _ choice: DmabufChoice, isStaged: Bool, attached: PresentedBuffer?,
    at now: MonotonicTime
  ) -> Prepared? {
    guard let format = choice.copy else { return prepare(frame.duplicate(), choice, attached, at: now) }
    var copy: VideoFrame?
    if isStaged { copy = stagedCopy.take() }
    if copy == nil { copy = self.copy(of: frame, into: format) }
    guard let copy = copy.take() else { return nil }
    return prepare(copy, choice, attached, at: now)
  }

  private func prepare(
    _ frame: consuming VideoFrame, _ choice: DmabufChoice, _ attached: PresentedBuffer?, at now: MonotonicTime
  ) -> Prepared? {
    guard let source = source(of: frame, choice), let buffers else { return nil }
    switch buffers.readiness(of: source, at: now) {
    case .ready(let buffer):
      if source.memory != nil, let descriptor = source.descriptors.first { DmabufAccess.publish(descriptor) }
      let points = sync?.points(for: buffer)
      if points == nil, buffer.isReleasedByPoint { return nil }
      return Prepared(buffer: buffer, frame: frame, points: points)
    case .held(let buffer) where buffer === attached:
      return Prepared(buffer: buffer, frame: nil, points: nil)
    case .held, .pending, .unusable:
      return nil
    }
  }

  /// The first waiting frame is another one.
  func unstage() { stagedCopy = nil }

  private func copy(of frame: borrowing VideoFrame, into format: PixelFormat) -> VideoFrame? {
    if copier == nil, let exporter = terms.exporters.first { copier = FrameCopier(backing: exporter.backing) }
    return copier?.copy(frame, into: format)
  }

  private func source(of frame: borrowing VideoFrame, _ choice: DmabufChoice) -> DmabufSource? {
    do throws(SystemError) {
      return try DmabufSource(frame, format: choice.layout, maker: maker)
    } catch {
      // The probe worked and the real thing does not: a limit of the kernel's is reached.
      terms.exporters = []
      terms.exportProblem = "This process can't make dmabufs: \(error)."
      updateWish()
      return nil
    }
  }

  // MARK: Buffers

  /// From when on a frame may go out: at once, or when the oldest held one has been held too long.
  var opening: MonotonicTime { buffers?.opening ?? .distantPast }

  /// Destroys the free ones. Whether the compositor holds none any more.
  func drain() -> Bool {
    copier = nil
    return buffers?.drain() ?? true
  }

  /// Lets go of everything.
  func end() {
    stagedCopy = nil
    watcher?.end()
    buffers?.destroyAll()
    fences.end()
  }
}
