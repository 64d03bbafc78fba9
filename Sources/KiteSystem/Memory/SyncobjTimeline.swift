import CLinux
import Glibc

/// A DRM device that has timelines: rows of 64-bit points that processes and devices signal and wait for.
///
/// Used by one thread at a time.
public final class SyncobjDevice {
  fileprivate let file: FileDescriptor

  /// Opens the device's node, such as `/dev/dri/renderD128`.
  ///
  /// - Throws: `SystemError` when it can't be opened, or has no timelines whose points can be polled for
  ///   (`DRM_CAP_SYNCOBJ_TIMELINE`, and `DRM_IOCTL_SYNCOBJ_EVENTFD` of Linux 6.6).
  public init(path: String) throws(SystemError) {
    let raw = open(path, O_RDWR | O_CLOEXEC)
    guard raw >= 0 else { throw SystemError(call: "open", subject: "opening \(path)") }
    file = FileDescriptor(owning: raw)
    guard kite_drm_has_timelines(raw) != 0 else {
      throw SystemError(call: "ioctl", subject: "looking for timelines of \(path)", code: ENOTSUP)
    }
    // Whether points can be polled for is only known by trying.
    let timeline = try SyncobjTimeline(self)
    let event = try EventDescriptor()
    try timeline.notify(event, at: 1)
  }
}

/// A timeline of a DRM device (`drm_syncobj`). Ends with the last reference, here and in other processes.
public final class SyncobjTimeline {
  private let device: SyncobjDevice
  private let handle: UInt32
  private let file: FileDescriptor

  /// Makes a timeline at point 0.
  ///
  /// - Throws: `SystemError` when the kernel has no memory or no descriptor.
  public init(_ device: SyncobjDevice) throws(SystemError) {
    self.device = device
    handle = kite_syncobj_create(device.file.rawValue)
    guard handle != 0 else { throw SystemError(call: "ioctl", subject: "making a timeline") }
    let raw = kite_syncobj_export(device.file.rawValue, handle)
    guard raw >= 0 else {
      let error = SystemError(call: "ioctl", subject: "exporting a timeline")
      kite_syncobj_destroy(device.file.rawValue, handle)
      throw error
    }
    file = FileDescriptor(owning: raw)
  }

  deinit { kite_syncobj_destroy(device.file.rawValue, handle) }

  /// The descriptor by which another process finds the timeline; borrowed.
  public var descriptor: Int32 { file.rawValue }

  /// Signals `point`, and with it those before.
  public func signal(_ point: UInt64) throws(SystemError) {
    guard kite_syncobj_signal(device.file.rawValue, handle, point) == 0 else {
      throw SystemError(call: "ioctl", subject: "signalling point \(point)")
    }
  }

  /// Has `point` signal when the fences of `syncFile` have, and all points before.
  public func signal(_ point: UInt64, after syncFile: Int32) throws(SystemError) {
    guard kite_syncobj_import_fences(device.file.rawValue, handle, point, syncFile) == 0 else {
      throw SystemError(call: "ioctl", subject: "importing fences at point \(point)")
    }
  }

  /// Has `event` signalled when `point` is, also when nothing has been said of the point yet.
  public func notify(_ event: borrowing EventDescriptor, at point: UInt64) throws(SystemError) {
    guard kite_syncobj_notify(device.file.rawValue, handle, point, event.descriptor) == 0 else {
      throw SystemError(call: "ioctl", subject: "asking to be told of point \(point)")
    }
  }
}
