import KiteSystem
import Wayland

/// Explicit synchronization of the surface's dmabufs (`linux-drm-syncobj-v1`). Belongs to the presenter's thread.
///
/// As long as the surface has its object, every commit with a buffer needs both points, and only a dmabuf may be
/// committed: the object is made with the first one and ended before any other buffer. Whatever fails ends it for good;
/// the fences of the memory itself order the work then.
final class ExplicitSync {
  private let manager: WpLinuxDrmSyncobjManagerV1
  private let opener: any SyncDeviceOpener
  private let loop: PollLoop
  /// The compositor's device, as far as it has said so.
  private let mainDevice: () -> UInt64?
  /// Told that explicit synchronization is over.
  private let onEnd: () -> Void
  private var device: (any SyncDevice)?
  private var object: WpLinuxDrmSyncobjSurfaceV1?
  /// Why nothing is synchronized explicitly any longer; nil while it is.
  private(set) var problem: SystemError?

  init(
    manager: WpLinuxDrmSyncobjManagerV1, opener: any SyncDeviceOpener, loop: PollLoop,
    mainDevice: @escaping () -> UInt64?, onEnd: @escaping () -> Void
  ) {
    self.manager = manager
    self.opener = opener
    self.loop = loop
    self.mainDevice = mainDevice
    self.onEnd = onEnd
  }

  /// The points of a buffer's next commit; nil where it has to go without.
  func points(for buffer: DmabufBuffer) -> BufferSync.Points? {
    guard problem == nil else { return nil }
    do throws(SystemError) {
      if device == nil { device = try opener.open(preferring: mainDevice()) }
      guard let device else { return nil }
      if buffer.sync == nil { buffer.sync = try BufferSync(manager: manager, device: device, loop: loop) }
      guard let sync = buffer.sync else { return nil }
      return try sync.next(after: buffer.deviceDmabufs)
    } catch {
      problem = error
      onEnd()
      return nil
    }
  }

  /// Part of a commit: sets the points of the dmabuf that is attached in it.
  func set(
    _ points: BufferSync.Points, of sync: BufferSync, on surface: WlSurface, use: inout SurfaceUse
  ) {
    let object = self.object ?? manager.getSurface(surface)
    self.object = object
    use.synchronization = object.handle
    object.setAcquirePoint(
      sync.object, pointHi: UInt32(points.acquire >> 32), pointLo: UInt32(truncatingIfNeeded: points.acquire))
    object.setReleasePoint(
      sync.object, pointHi: UInt32(points.release >> 32), pointLo: UInt32(truncatingIfNeeded: points.release))
  }

  /// Part of a commit: its buffer has no points.
  func takeBack(_ use: inout SurfaceUse) {
    use.synchronization = nil
    object?.destroy()
    object = nil
  }
}
