public import KiteSystem
internal import Wayland

/// A fixed number of equal buffers in one piece of sealed shared memory.
///
/// For backgrounds, tests, and small pictures; the memory is given back when the pool is closed or goes. A
/// compositor that still shows a buffer keeps its pages.
@MainActor
public final class ShmPool {
  /// The buffers, free and busy.
  public let buffers: [ShmBuffer]
  /// The memory behind them.
  public let memory: SharedMemory

  /// Makes `count` buffers of `width` × `height` pixels in a format of four bytes a pixel (a DRM fourcc that
  /// is in `Connection.shmFormats`; XRGB8888 always is).
  ///
  /// - Throws: `ToolkitError.system` without memory; `missingGlobal` without `wl_shm`; `connection` on a dead
  ///   one.
  public init(
    _ connection: Connection, width: Int, height: Int, count: Int = 2, format: UInt32 = 0x3432_5258
  ) throws(ToolkitError) {
    let shm = try connection.shm
    let size = LogicalSize(width: width, height: height).usable
    let stride = size.width * 4
    let length = stride * size.height
    // The wire's sizes are 32 bits.
    let count = max(1, min(count, Int(Int32.max) / length))
    guard length * count <= Int(Int32.max) else {
      throw .system(SystemError(call: "wl_shm.create_pool", subject: "sharing \(length) bytes", code: 75))
    }
    do throws(SystemError) {
      memory = try SharedMemory(byteCount: length * count, name: "kite-shm-pool")
    } catch { throw .system(error) }
    let pool = shm.createPool(fd: memory.descriptor, size: Int32(length * count))
    var buffers: [ShmBuffer] = []
    for index in 0..<count {
      let proxy = pool.createBuffer(
        offset: Int32(index * length), width: Int32(size.width), height: Int32(size.height),
        stride: Int32(stride), format: .init(rawValue: ShmFormats.wire(format)))
      let bytes = UnsafeMutableRawBufferPointer(start: memory.baseAddress + index * length, count: length)
      buffers.append(ShmBuffer(proxy: proxy, bytes: bytes, stride: stride))
    }
    // The buffers keep the compositor's side of the memory.
    pool.destroy()
    self.buffers = buffers
  }

  /// A buffer that may be written; nil while the compositor holds all of them: then wait for a release.
  public func next() -> ShmBuffer? { buffers.first { !$0.isBusy && $0.proxy.isAlive } }

  /// Ends the buffers. Idempotent. One that is on a surface stays there as long as the compositor likes.
  public func close() { for buffer in buffers { buffer.end() } }

  isolated deinit { close() }
}
