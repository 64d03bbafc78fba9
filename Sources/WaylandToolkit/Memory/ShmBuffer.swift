public import Wayland

/// Memory of one picture in an `ShmPool`. Written by the program while it is free, read by the compositor
/// from the commit on until it is released.
@MainActor
public final class ShmBuffer {
  /// What to attach.
  public let proxy: WlBuffer
  /// The first byte of the picture. Valid as long as the pool is held.
  public let bytes: UnsafeMutableRawBufferPointer
  /// Bytes from one row to the next.
  public let stride: Int
  /// Whether the compositor may be reading: from `markBusy` to its release.
  public private(set) var isBusy = false

  init(proxy: WlBuffer, bytes: UnsafeMutableRawBufferPointer, stride: Int) {
    self.proxy = proxy
    self.bytes = bytes
    self.stride = stride
    proxy.onEvent = { [weak self] event in
      if case .release = event { self?.isBusy = false }
    }
  }

  /// Hands the memory to the compositor: to be called with the commit that attaches the buffer.
  public func markBusy() { isBusy = true }

  /// Fills a four-byte format with one value a pixel, such as 0xFFRRGGBB for XRGB8888.
  public func fill(_ pixel: UInt32) {
    for index in 0..<(bytes.count / 4) {
      bytes.storeBytes(of: pixel.littleEndian, toByteOffset: index * 4, as: UInt32.self)
    }
  }

  func end() { if proxy.isAlive { proxy.destroy() } }
}
