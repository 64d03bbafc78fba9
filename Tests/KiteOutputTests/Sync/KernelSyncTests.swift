import CLinux
import Glibc
import KiteSystem
import Testing

@testable import KiteOutput

/// What only a DRM device's timelines can show. `Tests/vm/check` runs it in the guest; elsewhere each test says why not.
@Suite(.serialized) struct KernelSyncTests {
  private static func device() -> (any SyncDevice)? {
    do throws(SystemError) {
      return try KernelSyncDevices().open(preferring: nil)
    } catch {
      print("not held here: \(error) (Tests/vm/check)")
      return nil
    }
  }

  private static func isReadable(_ descriptor: Int32, milliseconds: Int32 = 0) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, milliseconds) == 1
  }

  @Test func aPointThatIsSignalledIsToldOf() throws {
    guard let device = Self.device() else { return }
    let timeline = try device.makeTimeline()
    let event = try EventDescriptor()
    try timeline.notify(event, at: 2)
    try timeline.signal(1)
    #expect(!Self.isReadable(event.descriptor))
    try timeline.signal(2)
    #expect(Self.isReadable(event.descriptor, milliseconds: 10_000))
    event.acknowledge()
    // One that has been signalled is told of at once, and the next is not it.
    try timeline.notify(event, at: 1)
    #expect(Self.isReadable(event.descriptor, milliseconds: 10_000))
    event.acknowledge()
    try timeline.notify(event, at: 3)
    #expect(!Self.isReadable(event.descriptor))
  }

  @Test func aPointWaitsForADevicesWriting() throws {
    let path = "/sys/kernel/debug/sync/sw_sync"
    guard let device = Self.device() else { return }
    guard access(path, R_OK | W_OK) == 0, access(DmabufExporter.udmabufPath, R_OK | W_OK) == 0 else {
      print("not held here: no sw_sync or udmabuf for this process (Tests/vm/check)")
      return
    }
    let memory = try SharedMemory(byteCount: 4096, name: "kite-test")
    let dmabuf = try memory.dmabuf()
    let software = FileDescriptor(owning: open(path, O_RDWR | O_CLOEXEC))
    // SW_SYNC_IOC_CREATE_FENCE, and DMA_BUF_IOCTL_IMPORT_SYNC_FILE for writing: a device that is at work.
    var request = [UInt32](repeating: 0, count: 10)
    request[0] = 1
    try #require(kite_ioctl(software.rawValue, 0xC028_5700, &request) == 0)
    let fence = FileDescriptor(owning: Int32(bitPattern: request[9]))
    var work = [UInt32(2), UInt32(bitPattern: fence.rawValue)]
    try #require(kite_ioctl(dmabuf, 0x4008_6203, &work) == 0)

    let timeline = try device.makeTimeline()
    let event = try EventDescriptor()
    try timeline.notify(event, at: 1)
    try timeline.signal(1, afterWritesTo: dmabuf)
    #expect(!Self.isReadable(event.descriptor, milliseconds: 20))
    var step = [UInt32(1)]
    try #require(kite_ioctl(software.rawValue, 0x4004_5701, &step) == 0)
    #expect(Self.isReadable(event.descriptor, milliseconds: 10_000))
    // Where nothing is under way the point is signalled at once.
    try timeline.signal(2, afterWritesTo: dmabuf)
    try timeline.notify(event, at: 2)
    #expect(Self.isReadable(event.descriptor, milliseconds: 10_000))
  }

  @Test func aThousandTimelinesLeaveNoDescriptor() throws {
    guard let device = Self.device() else { return }
    var highest: Int32 = 0
    for index in 0..<1000 {
      let timeline = try device.makeTimeline()
      if index == 0 { highest = timeline.descriptor + 64 }
      #expect(timeline.descriptor < highest)
    }
  }
}
