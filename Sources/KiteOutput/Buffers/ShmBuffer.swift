import KiteCore
import KiteSystem
import Wayland

/// A `wl_buffer` over shared memory.
final class ShmBuffer: PresentedBuffer {
  let memory: SharedMemory
  /// Bytes from one row to the next, of the first plane.
  let stride: Int

  /// Makes a buffer of `size` over `memory`, whose planes lie one after another as `wl_shm` expects.
  init(
    _ memory: SharedMemory, offset: Int, size: PixelSize, stride: Int, fourcc: UInt32, shm: WlShm
  ) {
    self.memory = memory
    self.stride = stride
    let pool = shm.createPool(fd: memory.descriptor, size: Int32(clamping: memory.byteCount))
    let wlBuffer = pool.createBuffer(
      offset: Int32(clamping: offset), width: Int32(clamping: size.width),
      height: Int32(clamping: size.height),
      stride: Int32(clamping: stride), format: Self.format(fourcc))
    // The buffer keeps the compositor's mapping; the pool object itself is not needed again.
    pool.destroy()
    super.init(wlBuffer, size: size, fourcc: fourcc)
  }

  /// The fourcc of premultiplied ARGB, blue in the lowest byte.
  static let argb8888: UInt32 = 0x3432_5241

  /// `wl_shm` has numbers of its own for the two formats it began with, and fourccs for all others.
  static func format(_ fourcc: UInt32) -> WlShm.Format {
    switch fourcc {
    case argb8888: .argb8888
    case PixelFormat.bgrx8888.fourcc: .xrgb8888
    default: WlShm.Format(rawValue: fourcc)
    }
  }
}
