import KiteCore
import KiteSystem
import Wayland

/// A `wl_buffer` that shows frames, and whether the compositor holds it. Belongs to the presenter's thread.
///
/// One commit, one release: between the two the memory is neither written nor attached again.
class PresentedBuffer {
  /// Size in buffer pixels.
  final let size: PixelSize
  final let fourcc: UInt32
  /// The modifier of a dmabuf; nil for `wl_shm`.
  final let modifier: UInt64?
  final let wlBuffer: WlBuffer
  /// Whether the compositor may read the memory: from the commit to the release.
  final private(set) var isHeld = false
  /// When the compositor got it last.
  final private(set) var heldSince = MonotonicTime.distantPast
  /// The frame whose memory this is, as long as the compositor reads it; nil for converted buffers.
  private final var frame: VideoFrame?
  private final var onRelease: (() -> Void)?

  init(_ wlBuffer: WlBuffer, size: PixelSize, fourcc: UInt32, modifier: UInt64? = nil) {
    self.wlBuffer = wlBuffer
    self.size = size
    self.fourcc = fourcc
    self.modifier = modifier
    wlBuffer.onEvent = { [weak self] _ in self?.releaseCame() }
  }

  /// The compositor gets the buffer with the next commit. `frame` is kept until its release.
  final func willCommit(
    at now: MonotonicTime, frame: consuming VideoFrame? = nil, onRelease: @escaping () -> Void
  ) {
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

  /// The compositor is done with the frame: it goes back where it came from, now or when devices are done with it too.
  func giveBack(_ frame: consuming VideoFrame) { _ = consume frame }

  /// `wl_buffer.release` came.
  func releaseCame() { released() }

  /// The compositor asks nothing more of the memory.
  final func released() {
    isHeld = false
    if let frame = frame.take() { giveBack(frame) }
    let handler = onRelease
    onRelease = nil
    handler?()
  }
}
