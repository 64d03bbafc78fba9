import CLinux
import Glibc
import Synchronization

/// Memory that others can have without a copy, mapped readable and writable for its whole life: a sealed memfd, which
/// another process maps and of which devices can be given a dmabuf, or a dmabuf from the kernel's heap.
///
/// A memfd is sealed against shrinking, so that a reader never meets `SIGBUS`. The mapping and the descriptors end with
/// the last reference. The class only holds addresses; who writes when is the business of its users.
public final class SharedMemory: Sendable {
  /// Where the pages come from.
  public enum Backing: Hashable, Sendable {
    /// A sealed memfd: `wl_shm` memory, and a dmabuf through `/dev/udmabuf`.
    case memfd
    /// `/dev/dma_heap/system`: a dmabuf, and nothing that `wl_shm` takes.
    case dmaHeap
  }

  /// Where the pages come from.
  public let backing: Backing
  /// Distinguishes this memory from every other one of the process, also from freed ones. Never re-used.
  public let id: UInt64
  /// Length in bytes; a multiple of the page size.
  public let byteCount: Int
  /// First byte of the mapping, page-aligned. Valid as long as this object lives.
  public var baseAddress: UnsafeMutableRawPointer { address.pointer }
  /// The memfd, or the heap's dmabuf; borrowed: duplicate it to keep it.
  public var descriptor: Int32 { file.rawValue }

  private let file: FileDescriptor
  private let address: Address
  /// The dmabuf over a memfd; -1 before anybody asked for it.
  private let exported = Locked<Int32>(-1)

  /// A pointer that crosses threads: the mapping is fixed for the object's life and the pointer itself never changes.
  private struct Address: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer
  }

  private static let nextID = Atomic<UInt64>(1)

  /// Makes zeroed memory of at least `byteCount` bytes; `name` shows in /proc/PID/maps.
  ///
  /// - Throws: `SystemError` when the kernel gives no memory, no descriptor, or refuses the seal.
  public init(byteCount: Int, name: String) throws(SystemError) {
    let rounded = Self.pageAligned(byteCount)
    let raw = kite_memfd_create(name)
    guard raw >= 0 else { throw SystemError(call: "memfd_create", subject: "making \(name)") }
    let file = FileDescriptor(owning: raw)
    guard ftruncate(raw, rounded) == 0 else {
      throw SystemError(call: "ftruncate", subject: "sizing \(name) to \(rounded) bytes")
    }
    guard kite_seal_against_shrinking(raw) == 0 else {
      throw SystemError(call: "fcntl", subject: "sealing \(name)")
    }
    guard let pointer = mmap(nil, rounded, PROT_READ | PROT_WRITE, MAP_SHARED, raw, 0), pointer != MAP_FAILED
    else {
      throw SystemError(call: "mmap", subject: "mapping \(rounded) bytes of \(name)")
    }
    self.id = Self.nextID.wrappingAdd(1, ordering: .relaxed).oldValue
    self.backing = .memfd
    self.byteCount = rounded
    self.address = Address(pointer: pointer)
    self.file = file
  }

  /// Takes zeroed memory of at least `byteCount` bytes from the kernel's system heap, `/dev/dma_heap/system`.
  ///
  /// - Throws: `SystemError` when there is no such heap, no permission for it, or no memory.
  public init(heapByteCount byteCount: Int) throws(SystemError) {
    let rounded = Self.pageAligned(byteCount)
    let file = try Self.allocate(rounded, fromHeap: DmabufExporter.heapPath)
    guard let pointer = mmap(nil, rounded, PROT_READ | PROT_WRITE, MAP_SHARED, file.rawValue, 0),
      pointer != MAP_FAILED
    else {
      throw SystemError(call: "mmap", subject: "mapping \(rounded) bytes of \(DmabufExporter.heapPath)")
    }
    self.id = Self.nextID.wrappingAdd(1, ordering: .relaxed).oldValue
    self.backing = .dmaHeap
    self.byteCount = rounded
    self.address = Address(pointer: pointer)
    self.file = file
  }

  private static func allocate(_ byteCount: Int, fromHeap path: String) throws(SystemError) -> FileDescriptor
  {
    let raw = open(path, O_RDWR | O_CLOEXEC)
    guard raw >= 0 else { throw SystemError(call: "open", subject: "opening \(path)") }
    let heap = FileDescriptor(owning: raw)
    let memory = kite_dma_heap_allocate(heap.rawValue, UInt64(byteCount))
    guard memory >= 0 else {
      throw SystemError(call: "DMA_HEAP_IOCTL_ALLOC", subject: "taking \(byteCount) bytes from \(path)")
    }
    return FileDescriptor(owning: memory)
  }

  /// The same pages as a dmabuf; borrowed, made when first asked for, alive as long as this object. Any thread.
  ///
  /// - Throws: `SystemError` when there is no `/dev/udmabuf`, or the kernel gives none.
  public func dmabuf() throws(SystemError) -> Int32 {
    guard backing == .memfd else { return descriptor }
    let memfd = descriptor
    let size = byteCount
    return try exported.withLock { (exported) throws(SystemError) -> Int32 in
      if exported < 0 { exported = try DmabufExporter.udmabuf(memfd: memfd, byteCount: size) }
      return exported
    }
  }

  /// `byteCount` rounded up to whole pages, at least one; down where the sum would not fit, which no kernel gives.
  public static func pageAligned(_ byteCount: Int) -> Int {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let (sum, overflow) = byteCount.addingReportingOverflow(page - 1)
    return max(page, (overflow ? byteCount : sum) / page * page)
  }

  deinit {
    munmap(address.pointer, byteCount)
    exported.withLock { if $0 >= 0 { close($0) } }
  }
}
