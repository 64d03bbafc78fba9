internal import Glibc

/// The compositor's own mapping of a pool's memory.
final class PoolMemory {
  /// Identifies the memory across processes: the file's device and inode.
  let identity: MemoryIdentity
  private(set) var byteCount: Int
  private(set) var base: UnsafeRawPointer?
  private let descriptor: Int32

  /// Maps `byteCount` bytes of a descriptor, which becomes this object's. Nil when that can't be.
  init?(descriptor: Int32, byteCount: Int) {
    guard let identity = MemoryIdentity(descriptor: descriptor),
      let base = Self.map(descriptor, byteCount)
    else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    self.identity = identity
    self.byteCount = byteCount
    self.base = base
  }

  deinit {
    if let base { munmap(UnsafeMutableRawPointer(mutating: base), byteCount) }
    close(descriptor)
  }

  /// Bytes that the file really has.
  var fileSize: Int {
    var facts = stat()
    return fstat(descriptor, &facts) == 0 ? Int(facts.st_size) : 0
  }

  /// Follows a pool that grew. Returns false when that can't be.
  func grow(to byteCount: Int) -> Bool {
    guard byteCount >= self.byteCount, let new = Self.map(descriptor, byteCount) else { return false }
    if let base { munmap(UnsafeMutableRawPointer(mutating: base), self.byteCount) }
    base = new
    self.byteCount = byteCount
    return true
  }

  private static func map(_ descriptor: Int32, _ byteCount: Int) -> UnsafeRawPointer? {
    guard byteCount > 0,
      let pointer = mmap(nil, byteCount, PROT_READ, MAP_SHARED, descriptor, 0), pointer != MAP_FAILED
    else { return nil }
    return UnsafeRawPointer(pointer)
  }
}

/// What tells one memory from another, whatever the descriptor: tests compare the client's with the compositor's.
public struct MemoryIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  /// The identity of the file behind a descriptor; nil for a bad one.
  public init?(descriptor: Int32) {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { return nil }
    device = UInt64(facts.st_dev)
    inode = UInt64(facts.st_ino)
  }
}
