import KiteSystem
import Wayland

/// One buffer's own timeline. With one for several buffers a release that comes out of order would give back those before.
///
/// Each commit takes the points that follow: one for every dmabuf that a device may still write to, the last of which is
/// the acquire point, and then the release point.
final class BufferSync: PollSource {
  /// The points of one commit.
  struct Points: Hashable {
    let acquire: UInt64
    let release: UInt64
  }

  /// The compositor's name for the timeline.
  let object: WpLinuxDrmSyncobjTimelineV1
  private let timeline: any SyncTimeline
  private let event: EventDescriptor
  private let loop: PollLoop
  private var last: UInt64 = 0
  private var onRelease: (() -> Void)?

  /// Makes a timeline and tells the compositor of it.
  init(
    manager: WpLinuxDrmSyncobjManagerV1, device: any SyncDevice, loop: PollLoop
  ) throws(SystemError) {
    timeline = try device.makeTimeline()
    event = try EventDescriptor()
    object = manager.importTimeline(timeline.descriptor)
    self.loop = loop
  }

  /// Points for the next commit. The acquire point is signalled by the devices that write to `dmabufs`; of memory that
  /// the processor has written, there are none and the point is signalled now.
  ///
  /// - Throws: `SystemError`; then the points are not to be used.
  func next(after dmabufs: [Int32]) throws(SystemError) -> Points {
    if dmabufs.isEmpty {
      last += 1
      try timeline.signal(last)
    }
    for dmabuf in dmabufs {
      last += 1
      // A point waits for those before.
      try timeline.signal(last, afterWritesTo: dmabuf)
    }
    let points = Points(acquire: last, release: last + 1)
    last += 1
    try timeline.notify(event, at: points.release)
    return points
  }

  /// The commit with the latest points went out: `body` is called, once, when its release point is signalled.
  func whenReleased(_ body: @escaping () -> Void) {
    onRelease = body
    loop.add(self)
  }

  /// Ends the timeline on this side. What the compositor was given stays valid for it.
  func end() {
    loop.remove(self)
    onRelease = nil
    if object.isAlive { object.destroy() }
  }

  // MARK: The loop

  var descriptor: Int32 { event.descriptor }
  func prepare() -> PollEvents { .read }
  func process(_ events: PollEvents) {
    guard events.contains(.read) else { return }
    event.acknowledge()
    loop.remove(self)
    let body = onRelease
    onRelease = nil
    body?()
  }
}
