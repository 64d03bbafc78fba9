import KiteCore
import KiteSystem
import Wayland
import WaylandToolkit

/// A `wl_buffer` over a dmabuf that the compositor has imported.
///
/// Its release says that the compositor asks nothing more of the memory, not that its devices have finished: a frame goes
/// back to the decoder when their fences have signalled too. A commit with points is released by its point alone, which
/// says both.
final class DmabufBuffer: PresentedBuffer {
  private let source: DmabufSource
  private let fences: FenceKeeper
  /// Its timeline, once a commit was synchronized explicitly.
  var sync: BufferSync?
  /// Whether the latest commit is released by a point, and not by `wl_buffer.release`.
  private(set) var isReleasedByPoint = false
  /// What devices may still be writing when it is committed: nothing in memory that the processor writes.
  var deviceDmabufs: [Int32] {
    guard source.memory == nil else { return [] }
    // Planes of one memory have a descriptor each.
    let memories = source.key.memories
    return zip(memories, source.descriptors).enumerated()
      .filter { memories.firstIndex(of: $1.0) == $0 }.map(\.element.1)
  }

  init(_ wlBuffer: WlBuffer, source: DmabufSource, fences: FenceKeeper) {
    self.source = source
    self.fences = fences
    super.init(
      wlBuffer, size: source.size, fourcc: source.format.fourcc, modifier: source.format.modifier)
  }

  /// How the commit to come is released.
  func willBeReleased(byPoint: Bool) {
    isReleasedByPoint = byPoint
    if byPoint { sync?.whenReleased { [weak self] in self?.released() } }
  }

  /// Says nothing about a commit that has points.
  override func releaseCame() {
    if !isReleasedByPoint { super.releaseCame() }
  }

  override func giveBack(_ frame: consuming VideoFrame) {
    // Behind a release point there is no device at work any more.
    if isReleasedByPoint { return }
    fences.keep(frame, until: source.descriptors)
  }

  override func destroy() {
    sync?.end()
    sync = nil
    super.destroy()
  }
}
