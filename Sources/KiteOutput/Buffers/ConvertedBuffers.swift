import KiteCore
import KiteSystem
import Wayland
import WaylandToolkit

/// The RGB buffers of one view: of one size and format at a time, at most three.
///
/// One is on the screen, one on its way there, one is being written.
final class ConvertedBuffers {
  static let limit = 3
  /// How long a buffer may stay with the compositor while no other is free, in nanoseconds, before it counts as lost.
  static let patience: Int64 = 500_000_000

  private let shm: WlShm
  private var buffers: [ShmBuffer] = []
  /// Buffers of an earlier size that the compositor still shows.
  private var leaving: [ShmBuffer] = []
  private var size = PixelSize.zero
  private var fourcc: UInt32 = 0
  private var background = SolidColor.black
  /// What each buffer's bars were last painted around.
  private var painted: [ObjectIdentifier: PixelRect] = [:]

  init(shm: WlShm) { self.shm = shm }

  /// Says what buffers are wanted from now on, and the colour of their bars; those of another kind end with their release.
  func configure(size: PixelSize, fourcc: UInt32, background: SolidColor = .black) {
    if background != self.background {
      self.background = background
      painted.removeAll()
    }
    guard size != self.size || fourcc != self.fourcc else { return }
    self.size = size
    self.fourcc = fourcc
    for buffer in buffers {
      if buffer.isHeld { leaving.append(buffer) } else { buffer.destroy() }
    }
    buffers.removeAll()
    painted.removeAll()
  }

  /// A buffer that may be written, with bars of the background outside of `picture`; nil while the compositor holds all of them.
  func acquire(picture: PixelRect) throws(SystemError) -> ShmBuffer? {
    let buffer: ShmBuffer
    if let free = buffers.first(where: { !$0.isHeld }) {
      buffer = free
    } else if buffers.count < Self.limit {
      // Rows of a multiple of 64 bytes: a cache line, and what SIMD code likes.
      let stride = (size.width * 4 + 63) / 64 * 64
      let memory = try SharedMemory(byteCount: stride * size.height, name: "kite-picture")
      buffer = ShmBuffer(memory, offset: 0, size: size, stride: stride, fourcc: fourcc, shm: shm)
      buffers.append(buffer)
    } else {
      return nil
    }
    if painted[ObjectIdentifier(buffer)] != picture {
      paintBars(of: buffer, around: picture)
      painted[ObjectIdentifier(buffer)] = picture
    }
    return buffer
  }

  /// From when on a buffer can be had: at once, or when the oldest held one counts as lost.
  var opening: MonotonicTime {
    guard buffers.count >= Self.limit, buffers.allSatisfy(\.isHeld) else { return .distantPast }
    return (buffers.map(\.heldSince).min() ?? .distantPast) + Self.patience
  }

  /// Gives up a buffer that the compositor has kept too long, so that another one can be made. Its memory is not used
  /// again: should the compositor still show it, it shows the old picture.
  func giveUpLost(at now: MonotonicTime) {
    guard now >= opening, opening != .distantPast else { return }
    guard let index = buffers.indices.min(by: { buffers[$0].heldSince < buffers[$1].heldSince }) else {
      return
    }
    let lost = buffers.remove(at: index)
    painted[ObjectIdentifier(lost)] = nil
    lost.destroy()
  }

  /// Lets go of what the compositor has given back since, and of free buffers beyond those in use.
  func sweep() {
    leaving.removeAll { buffer in
      guard !buffer.isHeld else { return false }
      buffer.destroy()
      return true
    }
  }

  /// Destroys the free ones. Whether the compositor holds none any more.
  func drain() -> Bool {
    configure(size: .zero, fourcc: 0)
    sweep()
    return leaving.isEmpty
  }

  /// Destroys all of them.
  func destroyAll() {
    for buffer in buffers + leaving { buffer.destroy() }
    buffers.removeAll()
    leaving.removeAll()
    painted.removeAll()
  }

  private func paintBars(of buffer: ShmBuffer, around picture: PixelRect) {
    let color = background.pixel(isDeep: fourcc == PixelFormat.xrgb2101010.fourcc)
    for y in 0..<size.height {
      let row = (buffer.memory.baseAddress + y * buffer.stride).bindMemory(
        to: UInt32.self, capacity: size.width)
      guard y >= picture.y, y < picture.y + picture.height else {
        row.update(repeating: color, count: size.width)
        continue
      }
      let right = picture.x + picture.width
      row.update(repeating: color, count: picture.x)
      (row + right).update(repeating: color, count: size.width - right)
    }
  }
}

extension SolidColor {
  /// As a pixel of XRGB8888 or XRGB2101010. The X bits are set: some screenshot tools take them for alpha.
  fileprivate func pixel(isDeep: Bool) -> UInt32 {
    guard isDeep else { return 0xFF00_0000 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }
    func widened(_ level: UInt8) -> UInt32 { UInt32(level) << 2 | UInt32(level) >> 6 }
    return 0xC000_0000 | widened(red) << 20 | widened(green) << 10 | widened(blue)
  }
}
