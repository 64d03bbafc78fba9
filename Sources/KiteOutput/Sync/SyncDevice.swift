import KiteSystem

/// Opens the device whose timelines order the work of two processes. In the tests another one stands in its place, since
/// most machines that they meet have none.
protocol SyncDeviceOpener: Sendable {
  /// A device with timelines, of `device` (a `dev_t`) if that has them.
  func open(preferring device: UInt64?) throws(SystemError) -> any SyncDevice
}

/// Makes timelines. Belongs to one thread.
protocol SyncDevice: AnyObject {
  /// A timeline at point 0.
  func makeTimeline() throws(SystemError) -> any SyncTimeline
}

/// A row of points that are signalled in order. Belongs to one thread; its points are signalled from anywhere.
protocol SyncTimeline: AnyObject {
  /// What the compositor is given to know it by; borrowed.
  var descriptor: Int32 { get }
  /// Signals a point.
  func signal(_ point: UInt64) throws(SystemError)
  /// Has a point signal when what devices write to `dmabuf` by now is written.
  func signal(_ point: UInt64, afterWritesTo dmabuf: Int32) throws(SystemError)
  /// Has `event` signalled when a point is.
  func notify(_ event: borrowing EventDescriptor, at point: UInt64) throws(SystemError)
}

/// The kernel's.
struct KernelSyncDevices: SyncDeviceOpener {
  func open(preferring device: UInt64?) throws(SystemError) -> any SyncDevice {
    var problem = SystemError(call: "open", subject: "looking for a device with timelines", code: 2)
    for path in DeviceNodes.renderNodes(preferring: device) {
      do throws(SystemError) {
        return KernelSyncDevice(device: try SyncobjDevice(path: path))
      } catch {
        problem = error
      }
    }
    throw problem
  }
}

private final class KernelSyncDevice: SyncDevice {
  private let device: SyncobjDevice
  init(device: SyncobjDevice) { self.device = device }

  func makeTimeline() throws(SystemError) -> any SyncTimeline {
    KernelTimeline(timeline: try SyncobjTimeline(device))
  }
}

private final class KernelTimeline: SyncTimeline {
  private let timeline: SyncobjTimeline
  init(timeline: SyncobjTimeline) { self.timeline = timeline }

  var descriptor: Int32 { timeline.descriptor }
  func signal(_ point: UInt64) throws(SystemError) { try timeline.signal(point) }

  func signal(_ point: UInt64, afterWritesTo dmabuf: Int32) throws(SystemError) {
    let fences = try DmabufAccess.writes(to: dmabuf)
    try timeline.signal(point, after: fences.rawValue)
  }

  func notify(_ event: borrowing EventDescriptor, at point: UInt64) throws(SystemError) {
    try timeline.notify(event, at: point)
  }
}
