import CLinux
import Glibc
import Synchronization

/// Memory that another process can map: a sealed memfd, mapped readable and writable for its whole life.
///
/// Sealed against shrinking, so that a reader never meets `SIGBUS`. The mapping and the descriptor end with the last
/// reference. The class only holds addresses; who writes when is the business of its users.
public final class SharedMemory: Sendable {
  /// Distinguishes this memory from every other one of the process, also from freed ones. Never re-used.
  public let id: UInt64
  /// Length in bytes; a multiple of the page size.
  public let byteCount: Int
  /// First byte of the mapping, page-aligned. Valid as long as this object lives.
  public var baseAddress: UnsafeMutableRawPointer { address.pointer }
  /// The memfd, borrowed: duplicate it to keep it.
  public var descriptor: Int32 { file.rawValue }

  private let file: FileDescriptor
  private let address: Address

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
    self.byteCount = rounded
    self.address = Address(pointer: pointer)
    self.file = file
  }

  /// `byteCount` rounded up to whole pages, at least one; down where the sum would not fit, which no kernel gives.
  public static func pageAligned(_ byteCount: Int) -> Int {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let (sum, overflow) = byteCount.addingReportingOverflow(page - 1)
    return max(page, (overflow ? byteCount : sum) / page * page)
  }

  deinit {
    munmap(address.pointer, byteCount)
  }
}
