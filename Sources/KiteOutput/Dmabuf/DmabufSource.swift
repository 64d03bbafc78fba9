import Glibc
import KiteCore
import KiteSystem
import WaylandToolkit

/// Makes dmabufs of memory. In the tests another one stands in its place, since most kernels that they meet have none.
protocol DmabufMaker: Sendable {
  /// The ways that work in this process, the better first, and why the others don't.
  func probe() -> (exporters: [DmabufExporter], problems: [SystemError])
  /// The dmabuf over `memory`, borrowed from it.
  func dmabuf(of memory: SharedMemory) throws(SystemError) -> Int32
}

/// What a renderer asks of the kernel's devices.
struct KernelDevices: Sendable {
  var dmabufs: any DmabufMaker = KernelDmabufs()
  var sync: any SyncDeviceOpener = KernelSyncDevices()
}

/// The kernel's.
struct KernelDmabufs: DmabufMaker {
  func probe() -> (exporters: [DmabufExporter], problems: [SystemError]) { DmabufExporter.probe() }
  func dmabuf(of memory: SharedMemory) throws(SystemError) -> Int32 { try memory.dmabuf() }
}

/// A frame's memory as `zwp_linux_buffer_params_v1` wants it described, and what tells it from any other.
struct DmabufSource {
  /// What tells one buffer from another.
  struct Key: Hashable {
    /// Memory of ours has a number that is never used twice; of other memory the kernel knows the inode.
    enum Memory: Hashable {
      case own(UInt64)
      case foreign(device: UInt64, inode: UInt64)
    }
    let memories: [Memory]
    let offsets: [Int]
    let strides: [Int]
    let size: PixelSize
    let format: DmabufFormat
  }

  let key: Key
  /// One for each plane; borrowed from `memory`, the frame, or `kept`.
  private(set) var descriptors: [Int32]
  let size: PixelSize
  let format: DmabufFormat
  /// Memory of this process, which the source keeps alive; nil for a device's.
  let memory: SharedMemory?
  private var kept: KeptDescriptors?

  /// The frame's planes as a dmabuf of `format`; nil for a frame in private memory or without planes.
  ///
  /// - Throws: `SystemError` when no dmabuf is to be had of the memory.
  init?(_ frame: borrowing VideoFrame, format: DmabufFormat, maker: any DmabufMaker) throws(SystemError) {
    size = frame.properties.codedSize
    self.format = format
    var memories: [Key.Memory] = []
    let offsets: [Int]
    let strides: [Int]
    switch frame.memory {
    case .heap: return nil
    case .shared(let memory):
      let descriptor = try maker.dmabuf(of: memory)
      self.memory = memory
      descriptors = frame.planes.map { _ in descriptor }
      memories = [.own(memory.id)]
      offsets = frame.planes.map(\.offset)
      strides = frame.planes.map(\.stride)
    case .dmabuf(let description):
      memory = nil
      descriptors = description.planes.map(\.descriptor)
      for descriptor in descriptors {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { return nil }
        memories.append(.foreign(device: UInt64(facts.st_dev), inode: UInt64(facts.st_ino)))
      }
      offsets = description.planes.map(\.offset)
      strides = description.planes.map(\.stride)
    }
    guard !descriptors.isEmpty, descriptors.count <= 4 else { return nil }
    key = Key(memories: memories, offsets: offsets, strides: strides, size: size, format: format)
  }

  /// The same, independent of the frame it was made of: as long as it lives nobody else gets the memory's inode.
  func keeping() -> DmabufSource {
    guard memory == nil, kept == nil else { return self }
    let copies = KeptDescriptors(duplicating: descriptors)
    var result = self
    result.descriptors = copies.descriptors
    result.kept = copies
    return result
  }
}

/// Descriptors of our own, closed with the last reference.
private final class KeptDescriptors {
  let descriptors: [Int32]

  init(duplicating others: [Int32]) { descriptors = others.map { fcntl($0, F_DUPFD_CLOEXEC, 0) } }

  deinit { for descriptor in descriptors where descriptor >= 0 { close(descriptor) } }
}
