import Wayland

/// The right to use a view's surface, and what a renderer has made on it that the next renderer must not find there.
///
/// A surface has at most one object of each of these interfaces. The renderer may be closed on any thread, at once, and
/// the next one begins with the same surface: so the end of the use sends the destructors, by whoever ends it, and the
/// presenter only forgets its side later.
struct SurfaceUse: Sendable {
  private(set) var isUsable = true
  /// What says how its buffers' numbers are to be read.
  var representation: ProxyHandle<WpColorRepresentationSurfaceV1>?

  /// What sets the points of its commits.
  var synchronization: ProxyHandle<WpLinuxDrmSyncobjSurfaceV1>?

  /// What has its commits wait for each other, and for their times.
  var fifo: ProxyHandle<WpFifoV1>?
  var timer: ProxyHandle<WpCommitTimerV1>?

  /// What says that a video is shown.
  var contentType: ProxyHandle<WpContentTypeV1>?

  /// Ends the use. Idempotent.
  mutating func end() {
    guard isUsable else { return }
    isUsable = false
    representation?.sendDestructor()
    representation = nil
    synchronization?.sendDestructor()
    synchronization = nil
    contentType?.sendDestructor()
    contentType = nil
    fifo?.sendDestructor(opcode: 2)
    fifo = nil
    timer?.sendDestructor(opcode: 1)
    timer = nil
  }
}
