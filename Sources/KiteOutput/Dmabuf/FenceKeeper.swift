import KiteCore
import KiteSystem

/// Keeps frames until devices are done with their memory. The loop polls for that beside everything else: nothing waits.
final class FenceKeeper {
  private let loop: PollLoop
  private var waits: [ObjectIdentifier: Wait] = [:]

  init(loop: PollLoop) { self.loop = loop }

  /// Frames that are kept.
  var count: Int { waits.count }

  /// Keeps `frame` until the work that devices have queued on `dmabufs` by now is done; lets it go at once where there
  /// is none.
  func keep(_ frame: consuming VideoFrame, until dmabufs: [Int32]) {
    for dmabuf in dmabufs {
      guard let fences = DmabufAccess.pendingFences(of: dmabuf) else { continue }
      // The planes of a frame are read together: the others are looked at when this one is done.
      let wait = Wait(frame: frame, fences: fences) { [weak self] in self?.ended($0, dmabufs: dmabufs) }
      waits[ObjectIdentifier(wait)] = wait
      loop.add(wait)
      return
    }
  }

  private func ended(_ wait: Wait, dmabufs: [Int32]) {
    loop.remove(wait)
    waits[ObjectIdentifier(wait)] = nil
    if dmabufs.count > 1, let frame = wait.take() { keep(frame, until: dmabufs) }
  }

  /// Lets go of everything: the surface has ended.
  func end() {
    for wait in waits.values { loop.remove(wait) }
    waits.removeAll()
  }

  /// One frame and what it waits for.
  private final class Wait: PollSource {
    private var frame: VideoFrame?
    private let fences: DmabufAccess.Fences
    private let onEnd: (Wait) -> Void

    init(
      frame: consuming VideoFrame, fences: consuming DmabufAccess.Fences, onEnd: @escaping (Wait) -> Void
    ) {
      self.frame = consume frame
      self.fences = fences
      self.onEnd = onEnd
    }

    func take() -> VideoFrame? { frame.take() }

    var descriptor: Int32 { fences.descriptor }
    func prepare() -> PollEvents { fences.events }
    func process(_ events: PollEvents) {
      if !events.isEmpty { onEnd(self) }
    }
  }
}
