import KiteCore
import KiteSystem

/// What a player gets of a view's renderer: it passes everything on, and tells the view when another view takes the
/// player over and when that one leaves.
final class AttachedRenderer: VideoRenderer {
  let renderer: any ViewRenderer
  private let onActive: @Sendable (Bool) -> Void

  init(_ renderer: any ViewRenderer, onActive: @escaping @Sendable (Bool) -> Void) {
    self.renderer = renderer
    self.onActive = onActive
  }

  var lead: Int64 { renderer.lead }
  var earliestLead: Int64 { renderer.earliestLead }
  var memoryWish: FrameMemoryWish { renderer.memoryWish }
  func recall(after time: MonotonicTime) -> RingBuffer<TimedFrame> { renderer.recall(after: time) }
  func present(_ frame: consuming VideoFrame, at target: MonotonicTime) {
    renderer.present(frame, at: target)
  }
  func discardPending() { renderer.discardPending() }
  func setSubtitles(_ plane: (any SubtitlePlane)?) { renderer.setSubtitles(plane) }

  func setActive(_ isActive: Bool) {
    renderer.setActive(isActive)
    onActive(isActive)
  }

  func close() { renderer.close() }
}
