import KiteSystem
import Wayland
import WaylandToolkit

/// A black buffer for the surface behind the pictures: one pixel, stretched by a viewport; without one, all of it.
@MainActor
final class BlackBuffer {
  let wlBuffer: WlBuffer
  /// Pixels of the buffer.
  let size: LogicalSize

  /// A black buffer that can cover a surface of `size`.
  ///
  /// - Throws: `ToolkitError` when there is neither a single-pixel buffer nor shared memory to be had.
  init(connection: Connection, covering size: LogicalSize, isStretched: Bool) throws(ToolkitError) {
    if isStretched, let manager = connection.singlePixelBuffers {
      self.size = LogicalSize(width: 1, height: 1)
      wlBuffer = manager.createU32RgbaBuffer(r: 0, g: 0, b: 0, a: .max)
      return
    }
    self.size = isStretched ? LogicalSize(width: 1, height: 1) : size
    let stride = self.size.width * 4
    let shm = try connection.shm
    let memory: SharedMemory
    do throws(SystemError) {
      memory = try SharedMemory(byteCount: stride * self.size.height, name: "kite-black")
    } catch {
      throw .system(error)
    }
    // The X byte is set: some screenshot tools take it for alpha.
    memory.baseAddress.bindMemory(to: UInt32.self, capacity: memory.byteCount / 4)
      .update(repeating: 0xFF00_0000, count: self.size.width * self.size.height)
    let pool = shm.createPool(fd: memory.descriptor, size: Int32(clamping: memory.byteCount))
    wlBuffer = pool.createBuffer(
      offset: 0, width: Int32(clamping: self.size.width), height: Int32(clamping: self.size.height),
      stride: Int32(clamping: stride), format: .xrgb8888)
    // Nothing is ever written again: the compositor's own mapping is all that is needed.
    pool.destroy()
  }

  /// Whether it can cover a surface of `size`.
  func covers(_ size: LogicalSize, isStretched: Bool) -> Bool {
    isStretched || size == self.size
  }

  /// Ends the buffer; the surface that shows it must show another one, or end, first.
  func destroy() {
    if wlBuffer.isAlive { wlBuffer.destroy() }
  }
}
