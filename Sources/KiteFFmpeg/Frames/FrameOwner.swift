import CFFmpeg

/// A reference to FFmpeg's frame. Nobody writes to it once a `VideoFrame` stands on it, so that any thread may read it and
/// any thread may end it: FFmpeg's reference counts are atomic.
final class FrameOwner: @unchecked Sendable {
  let raw: UnsafeMutablePointer<AVFrame>

  /// Takes over what `frame` holds and leaves it blank; nil when there is no memory.
  init?(taking frame: UnsafeMutablePointer<AVFrame>) {
    guard let raw = av_frame_alloc() else { return nil }
    av_frame_move_ref(raw, frame)
    self.raw = raw
  }

  /// A second reference to what `frame` holds; nil when there is no memory.
  init?(referencing frame: UnsafeMutablePointer<AVFrame>) {
    guard let raw = av_frame_alloc() else { return nil }
    self.raw = raw
    if av_frame_ref(raw, frame) < 0 { return nil }
  }

  /// A blank frame; nil when there is no memory.
  init?() {
    guard let raw = av_frame_alloc() else { return nil }
    self.raw = raw
  }

  deinit {
    var raw: UnsafeMutablePointer<AVFrame>? = raw
    av_frame_free(&raw)
  }
}
