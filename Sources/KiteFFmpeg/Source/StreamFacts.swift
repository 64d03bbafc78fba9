import CFFmpeg
import KiteCore

/// What the container says about a video stream and the decoder's frames may leave open.
struct StreamFacts: Sendable {
  let clock: StreamClock
  let codedSize: PixelSize
  let sampleAspect: PixelRatio
  let orientation: Orientation
  let color: ColorDescription
  /// Frames per second; nil when the container doesn't say or says nonsense.
  let frameRate: Double?
  let codec: AVCodecID

  init(_ stream: UnsafeMutablePointer<AVStream>, origin: MediaTime) {
    let parameters = stream.pointee.codecpar.pointee
    clock = StreamClock(timeBase: stream.pointee.time_base, origin: origin)
    codedSize = PixelSize(width: Int(parameters.width), height: Int(parameters.height))
    // The container's ratio is the one an author can still change, and so wins.
    let own = stream.pointee.sample_aspect_ratio
    let coded = parameters.sample_aspect_ratio
    sampleAspect = own.num > 0 ? PixelRatio(own) : PixelRatio(coded)
    orientation = kite_stream_display_matrix(stream).map { Orientation(displayMatrix: $0) } ?? .upright
    color = ColorDescription(parameters)
    frameRate = Self.rate(stream.pointee.avg_frame_rate) ?? Self.rate(stream.pointee.r_frame_rate)
    codec = parameters.codec_id
  }

  /// The size as it will be shown, as far as the container knows it.
  var displaySize: PixelSize? {
    guard !codedSize.isEmpty else { return nil }
    return VideoFrame.Properties(
      format: .yuv420p, codedSize: codedSize, sampleAspect: sampleAspect, orientation: orientation
    ).displaySize
  }

  private static func rate(_ value: AVRational) -> Double? {
    guard value.num > 0, value.den > 0 else { return nil }
    let rate = Double(value.num) / Double(value.den)
    // Beyond that it is the time base, not the rate of pictures.
    return rate <= 1000 ? rate : nil
  }
}

extension PixelRatio {
  /// A ratio as FFmpeg has it: 0:1 is unknown, and so square.
  init(_ value: AVRational) { self.init(Int(value.num), Int(value.den)) }
}
