import KiteCore
import KiteSystem
import Wayland
import WaylandToolkit

/// A `wl_buffer` over a dmabuf that the compositor has imported.
///
/// Its release says that the compositor asks nothing more of the memory, not that its devices have finished: a frame goes
/// back to the decoder when their fences have signalled too.
final class DmabufBuffer: PresentedBuffer {
  private let source: DmabufSource
  private let fences: FenceKeeper

  init(_ wlBuffer: WlBuffer, source: DmabufSource, fences: FenceKeeper) {
    self.source = source
    self.fences = fences
    super.init(
      wlBuffer, size: source.size, fourcc: source.format.fourcc, modifier: source.format.modifier)
  }

  override func giveBack(_ frame: consuming VideoFrame) {
    fences.keep(frame, until: source.descriptors)
  }
}
