internal import Glibc
internal import Wayland

/// A `wl_buffer`: what it shows, and who holds it.
final class ServerBuffer {
  enum Content {
    /// Memory of a pool.
    case memory(PoolMemory, offset: Int, stride: Int, format: ShmFormat)
    /// A dmabuf.
    case dmabuf(PoolMemory, format: ShmFormat, modifier: UInt64, planes: [(offset: Int, stride: Int)])
    /// One pixel of red, green, blue and alpha.
    case color(red: UInt32, green: UInt32, blue: UInt32, alpha: UInt32)
  }

  let number: Int
  let resource: WlBufferResource
  let content: Content
  let width: Int
  let height: Int
  /// Commits that show it, or will.
  private(set) var holders = 0
  /// The client has not been told yet that it has the buffer back.
  private(set) var isHeld = false
  /// What tells the client that it has the buffer back, in place of an event.
  var releasePoint: SyncPoint? {
    didSet { if releasePoint != nil { hadPoints = true } }
  }
  /// A commit of it had points.
  private(set) var hadPoints = false
  /// What was in memory at the commit.
  private var bytesAtCommit: [UInt8]?

  init(number: Int, _ resource: WlBufferResource, _ content: Content, width: Int, height: Int) {
    self.number = number
    self.resource = resource
    self.content = content
    self.width = width
    self.height = height
  }

  /// Whether there are bytes that a client could write to.
  var hasMemory: Bool {
    switch content {
    case .memory, .dmabuf: true
    case .color: false
    }
  }

  /// A commit takes it. `keepsCopy` to be able to tell whether somebody writes to it.
  func hold(keepsCopy: Bool) {
    holders += 1
    isHeld = true
    if keepsCopy, bytesAtCommit == nil { bytesAtCommit = copyBytes() }
  }

  /// A commit lets go of it. Returns whether it was the last.
  func letGo() -> Bool {
    holders -= 1
    return holders == 0
  }

  /// Gives the buffer back to the client; nothing when another commit has taken it meanwhile. Returns whether an
  /// event went out.
  func release() -> Bool {
    guard holders == 0, isHeld else { return false }
    return endHold()
  }

  /// Gives the buffer back although it is shown: its bytes were copied.
  func releaseCopied() -> Bool {
    guard isHeld else { return false }
    return endHold()
  }

  private func endHold() -> Bool {
    isHeld = false
    bytesAtCommit = nil
    if let point = releasePoint {
      releasePoint = nil
      point.timeline.signal(point.value)
      return true
    }
    guard resource.isAlive else { return false }
    resource.sendRelease()
    return true
  }

  /// Whether the memory is another than at the commit.
  var wasWritten: Bool {
    guard isHeld, let bytesAtCommit, let (memory, offset) = place, let base = memory.base else {
      return false
    }
    return bytesAtCommit.withUnsafeBytes { bytes in
      bytes.baseAddress.map { memcmp($0, base + offset, bytes.count) != 0 } ?? false
    }
  }

  /// Where the bytes begin; nil for a buffer without any.
  private var place: (memory: PoolMemory, offset: Int)? {
    switch content {
    case .memory(let memory, let offset, _, _): (memory, offset)
    case .dmabuf(let memory, _, _, _): (memory, 0)
    case .color: nil
    }
  }

  /// The bytes of all planes.
  func copyBytes() -> [UInt8]? {
    guard let (memory, offset) = place, let base = memory.base else { return nil }
    let count: Int
    switch content {
    case .memory(_, _, let stride, let format):
      count = format.layout(stride: stride, height: height).byteCount
    case .dmabuf, .color: count = memory.byteCount
    }
    guard offset + count <= memory.byteCount, offset + count <= memory.fileSize else { return nil }
    return [UInt8](UnsafeRawBufferPointer(start: base + offset, count: count))
  }
}
