import CFFmpeg

/// A stream's codec parameters, copied. Nobody writes to them after `init`.
final class CodecParameters: @unchecked Sendable {
  let raw: UnsafeMutablePointer<AVCodecParameters>
  let timeBase: AVRational
  let frameRate: AVRational

  /// Nil when there is no memory.
  init?(copying stream: UnsafeMutablePointer<AVStream>) {
    guard let raw = avcodec_parameters_alloc() else { return nil }
    self.raw = raw
    timeBase = stream.pointee.time_base
    frameRate = stream.pointee.avg_frame_rate
    if avcodec_parameters_copy(raw, stream.pointee.codecpar) < 0 { return nil }
  }

  deinit {
    var raw: UnsafeMutablePointer<AVCodecParameters>? = raw
    avcodec_parameters_free(&raw)
  }
}
