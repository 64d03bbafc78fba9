import Glibc
import KiteCore
import KiteSystem
import Testing
import Wayland
import WaylandToolkit

@testable import KiteOutput

/// A full pipe stands for memory that a device still reads: it, too, is to be polled for.
private struct BusyMemory: ~Copyable {
  let readEnd: FileDescriptor
  let writeEnd: FileDescriptor

  init() throws {
    var ends: [Int32] = [-1, -1]
    let code = pipe(&ends)
    readEnd = FileDescriptor(owning: ends[0])
    writeEnd = FileDescriptor(owning: ends[1])
    try #require(code == 0)
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    let block = [UInt8](repeating: 0, count: 65_536)
    while write(writeEnd.rawValue, block, block.count) > 0 {}
  }

  /// The device is done.
  borrowing func finish() {
    var block = [UInt8](repeating: 0, count: 65_536)
    while read(readEnd.rawValue, &block, block.count) > 0 {}
  }
}

@Suite struct FenceKeeperTests {
  private final class Owner: Sendable {}

  private func frame(_ owner: Owner) -> VideoFrame {
    let properties = VideoFrame.Properties(format: .nv12, codedSize: PixelSize(width: 2, height: 2))
    return VideoFrame(properties: properties, memory: .heap, planes: [], owner: owner)
  }

  @Test func aFrameGoesBackWhenAllPlanesAreFree() throws {
    let loop = PollLoop()
    let keeper = FenceKeeper(loop: loop)
    let first = try BusyMemory()
    let second = try BusyMemory()
    var owner: Owner? = Owner()
    weak let kept = owner
    if let owner { keeper.keep(frame(owner), until: [first.writeEnd.rawValue, second.writeEnd.rawValue]) }
    owner = nil
    loop.turn(timeout: 0)
    #expect(kept != nil && keeper.count == 1)
    first.finish()
    loop.turn(timeout: 0)
    #expect(kept != nil && keeper.count == 1)
    second.finish()
    loop.turn(timeout: 0)
    #expect(kept == nil && keeper.count == 0)
  }

  @Test func aFrameWithNothingToWaitForGoesBackAtOnce() throws {
    let keeper = FenceKeeper(loop: PollLoop())
    let memory = try SharedMemory(byteCount: 1, name: "kite-test")
    var owner: Owner? = Owner()
    weak let kept = owner
    if let owner { keeper.keep(frame(owner), until: [memory.descriptor]) }
    owner = nil
    #expect(kept == nil && keeper.count == 0)
  }

  @Test(arguments: [false, true])
  func aReleasedBufferKeepsItsFrameForTheDevices(byPoint: Bool) throws {
    let loop = PollLoop()
    let keeper = FenceKeeper(loop: loop)
    let busy = try BusyMemory()
    let description = DmabufDescriptor(
      fourcc: PixelFormat.bgrx8888.fourcc, modifier: DmabufFormat.linear,
      planes: [.init(descriptor: busy.writeEnd.rawValue, offset: 0, stride: 8)], device: nil)
    let frame = VideoFrame(
      properties: VideoFrame.Properties(format: .bgrx8888, codedSize: PixelSize(width: 2, height: 2)),
      memory: .dmabuf(description), planes: [VideoPlane(offset: 0, stride: 8, baseAddress: nil)],
      owner: Owner())
    let format = DmabufFormat(fourcc: PixelFormat.bgrx8888.fourcc, modifier: DmabufFormat.linear)
    let made = try DmabufSource(frame, format: format, maker: MemfdDmabufs())
    let source = try #require(made)
    let buffer = DmabufBuffer(.inert(), source: source, fences: keeper)
    buffer.willBeReleased(byPoint: byPoint)
    buffer.willCommit(at: .now, frame: frame) {}
    buffer.releaseCame()
    // Where a point is to come the event says nothing.
    #expect(buffer.isHeld == byPoint && keeper.count == (byPoint ? 0 : 1))
    if byPoint { buffer.released() }
    #expect(!buffer.isHeld && keeper.count == (byPoint ? 0 : 1))
    busy.finish()
    loop.turn(timeout: 0)
    #expect(keeper.count == 0)
  }

  @Test func theEndLetsGoOfEverythingAndLeavesNoDescriptor() throws {
    let loop = PollLoop()
    let keeper = FenceKeeper(loop: loop)
    let busy = try BusyMemory()
    var owner: Owner? = Owner()
    weak let kept = owner
    if let owner { keeper.keep(frame(owner), until: [busy.writeEnd.rawValue]) }
    owner = nil
    keeper.end()
    #expect(kept == nil)
    loop.turn(timeout: 0)
  }
}
