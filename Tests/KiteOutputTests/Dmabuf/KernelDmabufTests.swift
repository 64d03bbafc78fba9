import CLinux
import Glibc
import KiteCore
import KiteSystem
import Testing
import ViewStage

@testable import KiteOutput

/// What only a kernel with dmabufs can show. `Tests/vm/check` runs it in the guest; elsewhere each test says why not.
@Suite(.serialized) struct KernelDmabufTests {
  private static func isMissing(_ paths: String...) -> Bool {
    for path in paths where access(path, R_OK | W_OK) != 0 {
      print("not held here: no \(path) for this process (Tests/vm/check)")
      return true
    }
    return false
  }

  @Test func bothWaysAreFoundByTrying() {
    if Self.isMissing(DmabufExporter.udmabufPath, DmabufExporter.heapPath) { return }
    let found = DmabufExporter.probe()
    #expect(found.exporters == [.udmabuf, .dmaHeap] && found.problems.isEmpty)
  }

  @Test(arguments: SharedMemory.Backing.all)
  func theDmabufIsTheMemoryThatIsWritten(backing: SharedMemory.Backing) throws {
    if Self.isMissing(DmabufExporter.udmabufPath, DmabufExporter.heapPath) { return }
    let memory =
      backing == .memfd
      ? try SharedMemory(byteCount: 8192, name: "kite-test") : try SharedMemory(heapByteCount: 8192)
    let dmabuf = try memory.dmabuf()
    #expect(try memory.dmabuf() == dmabuf)
    memory.baseAddress.storeBytes(of: 0xC0FFEE, toByteOffset: 4100, as: UInt32.self)
    DmabufAccess.publish(dmabuf)
    let mapped = try #require(mmap(nil, 8192, PROT_READ, MAP_SHARED, dmabuf, 0))
    try #require(mapped != MAP_FAILED)
    #expect(mapped.load(fromByteOffset: 4100, as: UInt32.self) == 0xC0FFEE)
    munmap(mapped, 8192)
    let isPending = DmabufAccess.pendingFences(of: dmabuf) != nil
    #expect(!isPending)
  }

  @Test func aThousandOfThemLeaveNoDescriptor() throws {
    if Self.isMissing(DmabufExporter.udmabufPath, DmabufExporter.heapPath) { return }
    let before = ProcessFacts.now.descriptors
    for _ in 0..<1000 {
      _ = try SharedMemory(byteCount: 4096, name: "kite-test").dmabuf()
      _ = try SharedMemory(heapByteCount: 4096)
    }
    #expect(ProcessFacts.now.descriptors <= before + 16)
  }

  private final class Owner: Sendable {}

  @Test func aFrameIsKeptUntilTheDevicesFenceSignals() throws {
    let timelinePath = "/sys/kernel/debug/sync/sw_sync"
    if Self.isMissing(DmabufExporter.udmabufPath, timelinePath) { return }
    let memory = try SharedMemory(byteCount: 4096, name: "kite-test")
    let dmabuf = try memory.dmabuf()
    let timeline = FileDescriptor(owning: open(timelinePath, O_RDWR | O_CLOEXEC))
    // struct sw_sync_create_fence_data: value, name, fence. SW_SYNC_IOC_CREATE_FENCE.
    var request = [UInt32](repeating: 0, count: 10)
    request[0] = 1
    try #require(kite_ioctl(timeline.rawValue, 0xC028_5700, &request) == 0)
    let fence = FileDescriptor(owning: Int32(bitPattern: request[9]))
    // DMA_BUF_IOCTL_IMPORT_SYNC_FILE: a device that is still at work.
    var work = [UInt32(2), UInt32(bitPattern: fence.rawValue)]
    try #require(kite_ioctl(dmabuf, 0x4008_6203, &work) == 0)

    let loop = PollLoop()
    let keeper = FenceKeeper(loop: loop)
    var owner: Owner? = Owner()
    weak let kept = owner
    let properties = VideoFrame.Properties(format: .nv12, codedSize: PixelSize(width: 2, height: 2))
    if let owner {
      keeper.keep(
        VideoFrame(properties: properties, memory: .shared(memory), planes: [], owner: owner), until: [dmabuf]
      )
    }
    owner = nil
    loop.turn(timeout: 10_000_000)
    #expect(kept != nil && keeper.count == 1)
    // SW_SYNC_IOC_INC: it has finished.
    var step = [UInt32(1)]
    try #require(kite_ioctl(timeline.rawValue, 0x4004_5701, &step) == 0)
    loop.turn(timeout: 10_000_000_000)
    #expect(kept == nil && keeper.count == 0)
  }
}

extension SharedMemory.Backing {
  fileprivate static let all: [SharedMemory.Backing] = [.memfd, .dmaHeap]
}
