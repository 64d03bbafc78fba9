import KiteSystem
import Wayland
import WaylandToolkit

/// A buffer of one colour for the surface behind the pictures: one pixel, stretched by a viewport; without one, all of it.
@MainActor
final class BackgroundBuffer {
  let wlBuffer: WlBuffer
  private let color: SolidColor
  /// The size that it covers; nil for any.
  private let size: LogicalSize?
  private var isHeld = false
  private var isLeaving = false

  /// A buffer of `color`, taken as opaque, that can cover a surface of `size`.
  ///
  /// - Throws: `ToolkitError` when there is neither a single-pixel buffer nor shared memory to be had.
  init(
    connection: Connection, color: SolidColor, covering size: LogicalSize, isStretched: Bool
  ) throws(ToolkitError) {
    self.color = color
    if isStretched {
      self.size = nil
      wlBuffer = try connection.makeBuffer(of: color)
      return
    }
    self.size = size
    let stride = size.width * 4
    let memory: SharedMemory
    do throws(SystemError) {
      memory = try SharedMemory(byteCount: stride * size.height, name: "kite-background")
    } catch {
      throw .system(error)
    }
    // The X byte is set: some screenshot tools take it for alpha.
    memory.baseAddress.bindMemory(to: UInt32.self, capacity: memory.byteCount / 4)
      .update(repeating: color.xrgb8888, count: size.width * size.height)
    let pool = try connection.shm.createPool(fd: memory.descriptor, size: Int32(clamping: memory.byteCount))
    wlBuffer = pool.createBuffer(
      offset: 0, width: Int32(clamping: size.width), height: Int32(clamping: size.height),
      stride: Int32(clamping: stride), format: .xrgb8888)
    // Nothing is ever written again: the compositor's own mapping is all that is needed.
    pool.destroy()
  }

  /// Whether it can cover a surface of `size` with `color`.
  func covers(_ size: LogicalSize, with color: SolidColor) -> Bool {
    self.color == color && (self.size == nil || self.size == size)
  }

  /// It is being committed: the compositor holds it until it says otherwise.
  func willCommit() {
    isHeld = true
    wlBuffer.onEvent = { [weak self] _ in
      guard let self else { return }
      isHeld = false
      if isLeaving { destroy() }
    }
  }

  /// Another buffer takes its place with the next commit: ends it as soon as the compositor does not hold it. Whether it
  /// has ended.
  func leave() -> Bool {
    isLeaving = true
    if !isHeld { destroy() }
    return !wlBuffer.isAlive
  }

  /// Ends the buffer at once; the surface that shows it must show another one, or end, first.
  func destroy() {
    if wlBuffer.isAlive { wlBuffer.destroy() }
  }
}

extension SolidColor {
  /// The colour without any transparency.
  var opaque: SolidColor { SolidColor(red: red, green: green, blue: blue) }

  /// As a pixel of XRGB8888, the X byte set.
  var xrgb8888: UInt32 { 0xFF00_0000 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }
}
