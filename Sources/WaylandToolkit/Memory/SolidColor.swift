internal import KiteSystem
public import Wayland

/// A colour for a buffer: linear steps of the whole range, the alpha multiplied in.
public struct SolidColor: Hashable, Sendable {
  /// 0 to 255, at most `alpha`.
  public var red: UInt8
  /// 0 to 255, at most `alpha`.
  public var green: UInt8
  /// 0 to 255, at most `alpha`.
  public var blue: UInt8
  /// 255 is opaque.
  public var alpha: UInt8

  /// A colour; opaque unless said otherwise.
  public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// Opaque black.
  public static let black = SolidColor(red: 0, green: 0, blue: 0)

  var argb: UInt32 { UInt32(alpha) << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }
}

extension Connection {
  /// A buffer of one pixel, to be scaled to any size by a viewport: memory of the compositor's own where it
  /// can (`wp_single_pixel_buffer_manager_v1`), else one shared pixel. The caller destroys it.
  ///
  /// - Throws: `ToolkitError.system` without memory; `missingGlobal` without `wl_shm`; `connection` on a dead
  ///   one.
  public func makeBuffer(of color: SolidColor) throws(ToolkitError) -> WlBuffer {
    if let manager = singlePixelBuffers {
      // 255 becomes the largest number of 32 bits.
      func widened(_ value: UInt8) -> UInt32 { UInt32(value) * 0x0101_0101 }
      return manager.createU32RgbaBuffer(
        r: widened(color.red), g: widened(color.green), b: widened(color.blue), a: widened(color.alpha))
    }
    let shm = try shm
    let memory: SharedMemory
    do throws(SystemError) { memory = try SharedMemory(byteCount: 4, name: "kite-color") } catch {
      throw .system(error)
    }
    memory.baseAddress.storeBytes(of: color.argb.littleEndian, as: UInt32.self)
    // libwayland duplicates the descriptor: the compositor keeps the page when ours goes.
    let pool = shm.createPool(fd: memory.descriptor, size: 4)
    let buffer = pool.createBuffer(offset: 0, width: 1, height: 1, stride: 4, format: .argb8888)
    pool.destroy()
    return buffer
  }
}
