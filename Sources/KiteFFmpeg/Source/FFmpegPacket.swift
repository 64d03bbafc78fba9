import CFFmpeg
import KiteCore

/// A packet of FFmpeg's. Nobody writes to it after `init`, so that any thread may read it.
final class FFmpegPacket: MediaPacket, @unchecked Sendable {
  let trackID: Int
  let pts: MediaTime?
  let byteCount: Int
  let isKeyframe: Bool
  /// Owned; its timestamps are the stream's own, in the stream's time base.
  let raw: UnsafeMutablePointer<AVPacket>

  /// Takes over what `packet` holds and leaves it blank; nil when there is no memory for it.
  init?(taking packet: UnsafeMutablePointer<AVPacket>, clock: StreamClock) {
    guard let raw = av_packet_alloc() else { return nil }
    av_packet_move_ref(raw, packet)
    self.raw = raw
    trackID = Int(raw.pointee.stream_index)
    byteCount = Int(raw.pointee.size)
    isKeyframe = raw.pointee.flags & kite_packet_flag_key != 0
    pts = clock.time(raw.pointee.pts)
    // Demuxers may hand out packets over memory that they re-use at the next read.
    if raw.pointee.buf == nil, av_packet_make_refcounted(raw) < 0 { return nil }
  }

  private init(raw: UnsafeMutablePointer<AVPacket>, pts: MediaTime?) {
    self.raw = raw
    self.pts = pts
    trackID = Int(raw.pointee.stream_index)
    byteCount = Int(raw.pointee.size)
    isKeyframe = raw.pointee.flags & kite_packet_flag_key != 0
  }

  /// The same packet, in a time whose zero is at `origin` of this one's.
  func moved(by origin: MediaTime) -> FFmpegPacket {
    guard origin != .zero, let copy = av_packet_clone(raw) else { return self }
    return FFmpegPacket(raw: copy, pts: pts.map { $0 - origin })
  }

  deinit {
    var raw: UnsafeMutablePointer<AVPacket>? = raw
    av_packet_free(&raw)
  }
}
