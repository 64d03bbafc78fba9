import CLinux
import Glibc

/// What the kernel wants to be told and asked about a dmabuf beside its content.
public enum DmabufAccess {
  /// Makes what the processor has written to `dmabuf` visible to devices (`DMA_BUF_IOCTL_SYNC`: start, then end). To be
  /// called after the writing and before a device is given the memory. Does nothing for what is no dmabuf.
  public static func publish(_ dmabuf: Int32) {
    bracket(dmabuf, begins: true)
    bracket(dmabuf, begins: false)
  }

  private static func bracket(_ dmabuf: Int32, begins: Bool) {
    // Interrupted by a signal it has done nothing yet.
    while kite_dmabuf_sync(dmabuf, begins ? 1 : 0, 1) != 0, errno == EINTR || errno == EAGAIN {}
  }

  /// What devices still do with `dmabuf`, as a descriptor that becomes readable when all of it is done
  /// (`DMA_BUF_IOCTL_EXPORT_SYNC_FILE`); nil when nothing is under way, or nobody knows.
  ///
  /// Kernels before 6.0 can't tell: there the dmabuf itself is duplicated, which `poll` knows to wait for with
  /// `PollEvents.write`.
  public static func pendingFences(of dmabuf: Int32) -> Fences? {
    let file = kite_dmabuf_export_fences(dmabuf)
    let fences: Fences
    if file >= 0 {
      fences = Fences(file: FileDescriptor(owning: file), events: .read)
    } else {
      let copy = fcntl(dmabuf, F_DUPFD_CLOEXEC, 0)
      guard copy >= 0 else { return nil }
      fences = Fences(file: FileDescriptor(owning: copy), events: .write)
    }
    if fences.isSignalled { return nil }
    return fences
  }

  /// What devices still write to `dmabuf`, as a sync file that signals when it may be read
  /// (`DMA_BUF_IOCTL_EXPORT_SYNC_FILE`); one that has signalled already where nothing is under way.
  ///
  /// - Throws: `SystemError` for what is no dmabuf, and before Linux 6.0.
  public static func writes(to dmabuf: Int32) throws(SystemError) -> FileDescriptor {
    let file = kite_dmabuf_export_writes(dmabuf)
    guard file >= 0 else { throw SystemError(call: "ioctl", subject: "asking for a dmabuf's fences") }
    return FileDescriptor(owning: file)
  }

  /// Device work that is to be waited for: what to poll, and for what.
  public struct Fences: ~Copyable, Sendable {
    private let file: FileDescriptor
    /// What `poll` reports when all work is done.
    public let events: PollEvents
    /// The descriptor to poll; borrowed.
    public var descriptor: Int32 { file.rawValue }

    init(file: consuming FileDescriptor, events: PollEvents) {
      self.file = file
      self.events = events
    }

    /// Whether all work is done. Does not wait.
    public var isSignalled: Bool {
      var entry = pollfd(fd: file.rawValue, events: events.rawValue, revents: 0)
      return poll(&entry, 1, 0) != 0
    }
  }
}
