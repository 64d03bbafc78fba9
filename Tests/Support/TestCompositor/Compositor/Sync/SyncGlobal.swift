internal import Glibc
internal import Wayland

/// A point of a timeline.
struct SyncPoint {
  let timeline: TestTimeline
  let value: UInt64

  var isSignalled: Bool { timeline.reached >= value }
}

/// The points that a commit brings.
struct SyncPoints {
  var acquire: SyncPoint?
  var release: SyncPoint?

  var isEmpty: Bool { acquire == nil && release == nil }
}

extension CompositorCore {
  func bind(_ manager: WpLinuxDrmSyncobjManagerV1Resource) {
    manager.onRequest = { [weak self, weak manager] request in
      guard let self, let manager else { return }
      switch request {
      case .destroy: break
      case .getSurface(let object, let surface): getSync(object, of: surface, manager: manager)
      case .importTimeline(let object, let file): importTimeline(object, file.take(), manager: manager)
      }
    }
  }

  private func importTimeline(
    _ object: WpLinuxDrmSyncobjTimelineV1Resource, _ descriptor: Int32,
    manager: WpLinuxDrmSyncobjManagerV1Resource
  ) {
    defer { close(descriptor) }
    guard let timeline = TestTimeline.find(descriptor) else {
      return manager.postError(
        code: WpLinuxDrmSyncobjManagerV1.Error.invalidTimeline.rawValue, "the descriptor is no timeline")
    }
    counts.timelinesImported += 1
    let key = ObjectIdentifier(object)
    timelines[key] = timeline
    object.onDestroyed = { [weak self] in self?.timelines[key] = nil }
  }

  private func getSync(
    _ object: WpLinuxDrmSyncobjSurfaceV1Resource, of resource: WlSurfaceResource?,
    manager: WpLinuxDrmSyncobjManagerV1Resource
  ) {
    guard let surface = resource.flatMap({ self.surface(of: $0) }) else { return }
    guard surface.sync == nil else {
      return manager.postError(
        code: WpLinuxDrmSyncobjManagerV1.Error.surfaceExists.rawValue, "one exists already")
    }
    surface.sync = object
    object.onRequest = { [weak self, weak surface, weak object] request in
      func point(
        _ timeline: WpLinuxDrmSyncobjTimelineV1Resource?, _ high: UInt32, _ low: UInt32
      ) -> SyncPoint? {
        guard let surface, surface.isAlive else {
          object?.postError(
            code: WpLinuxDrmSyncobjSurfaceV1.Error.noSurface.rawValue, "the surface was destroyed")
          return nil
        }
        return timeline.flatMap { self?.timelines[ObjectIdentifier($0)] }
          .map { SyncPoint(timeline: $0, value: UInt64(high) << 32 | UInt64(low)) }
      }
      switch request {
      case .destroy: break
      case .setAcquirePoint(let timeline, let high, let low):
        surface?.pending.points.acquire = point(timeline, high, low)
      case .setReleasePoint(let timeline, let high, let low):
        surface?.pending.points.release = point(timeline, high, low)
      }
    }
    object.onDestroyed = { [weak surface] in
      surface?.sync = nil
      surface?.pending.points = SyncPoints()
    }
  }
}

extension ServerSurface {
  /// Whether a commit keeps the rules of explicit synchronization, or ends the client with the protocol's error.
  func admitsPoints(of change: SurfaceChange) -> Bool {
    guard let sync else { return true }
    guard let mistake = mistake(in: change) else { return true }
    sync.postError(code: mistake.rawValue, "\(change.points)")
    return false
  }

  private func mistake(in change: SurfaceChange) -> WpLinuxDrmSyncobjSurfaceV1.Error? {
    guard case .to(let buffer?) = change.buffer else { return change.points.isEmpty ? nil : .noBuffer }
    guard case .dmabuf = buffer.content else { return .unsupportedBuffer }
    guard let acquire = change.points.acquire else { return .noAcquirePoint }
    guard let release = change.points.release else { return .noReleasePoint }
    let isInOrder = acquire.timeline !== release.timeline || acquire.value < release.value
    return isInOrder ? nil : .conflictingPoints
  }
}
