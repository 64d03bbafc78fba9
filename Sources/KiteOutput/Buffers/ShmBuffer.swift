import KiteCore
import KiteSystem
import Wayland

/// A `wl_buffer` over shared memory, and whether the compositor holds it. Belongs to the presenter's thread.
///
/// One commit, one release: between the two the memory is neither written nor attached again.
final class ShmBuffer {
  let memory: SharedMemory
  /// Size in buffer pixels.
  let size: PixelSize
  /// Bytes from one row to the next, of the first plane.
  let stride: Int
  let fourcc: UInt32
  let wlBuffer: WlBuffer
  /// Whether the compositor may read the memory: from the commit to the release.
  private(set) var isHeld = false
  /// When the compositor got it last.
  private(set) var heldSince = MonotonicTime.distantPast
  /// The frame whose memory this is, as long as the compositor reads it; nil for converted buffers.
  private var frame: VideoFrame?
  private var onRelease: (() -> Void)?

  /// Makes a buffer of `size` over `memory`, whose planes lie one after another as `wl_shm` expects.
  init(
    _ memory: SharedMemory, offset: Int, size: PixelSize, stride: Int, fourcc: UInt32, shm: WlShm
  ) {
    self.memory = memory
    self.size = size
    self.stride = stride
    self.fourcc = fourcc
    let pool = shm.createPool(fd: memory.descriptor, size: Int32(clamping: memory.byteCount))
    wlBuffer = pool.createBuffer(
      offset: Int32(clamping: offset), width: Int32(clamping: size.width),
      height: Int32(clamping: size.height),
      stride: Int32(clamping: stride), format: Self.format(fourcc))
    // The buffer keeps the compositor's mapping; the pool object itself is not needed again.
    pool.destroy()
    wlBuffer.onEvent = { [weak self] _ in self?.released() }
  }

  /// The compositor gets the buffer with the next commit. `frame` is kept until its release.
  func willCommit(at now: MonotonicTime, frame: consuming VideoFrame? = nil, onRelease: @escaping () -> Void)
  {
    isHeld = true
    heldSince = now
    self.frame = frame
    self.onRelease = onRelease
  }

  /// Ends the buffer object. The compositor keeps a mapping of its own, so that this is safe at any time; the memory
  /// of a frame goes back to the decoder, though, and so a held direct buffer is destroyed only when the surface ends.
  func destroy() {
    onRelease = nil
    frame = nil
    if wlBuffer.isAlive { wlBuffer.destroy() }
  }

  private func released() {
    isHeld = false
    frame = nil
    let handler = onRelease
    onRelease = nil
    handler?()
  }

  /// `wl_shm` has numbers of its own for the two formats it began with, and fourccs for all others.
  static func format(_ fourcc: UInt32) -> WlShm.Format {
    switch fourcc {
    case PixelFormat.bgrx8888.fourcc: .xrgb8888
    default: WlShm.Format(rawValue: fourcc)
    }
  }
}
