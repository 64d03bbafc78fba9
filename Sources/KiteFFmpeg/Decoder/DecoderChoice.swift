import CFFmpeg

/// Which decoder and how many threads.
enum DecoderChoice {
  /// Software decoders that are better than the one FFmpeg finds first.
  private static let preferred: [(codec: AVCodecID, decoder: String)] = [
    // FFmpeg's own av1 decoder needs hardware.
    (AV_CODEC_ID_AV1, "libdav1d")
  ]

  /// The software decoder for `codec`; nil when this FFmpeg has none.
  static func decoder(for codec: AVCodecID) -> UnsafePointer<AVCodec>? {
    for choice in preferred where choice.codec == codec {
      if let decoder = avcodec_find_decoder_by_name(choice.decoder) { return decoder }
    }
    if let first = avcodec_find_decoder(codec), first.pointee.capabilities & kite_capability_hardware == 0 {
      return first
    }
    var iterator: UnsafeMutableRawPointer?
    while let next = av_codec_iterate(&iterator) {
      if next.pointee.id == codec, av_codec_is_decoder(next) != 0,
        next.pointee.capabilities & kite_capability_hardware == 0
      {
        return next
      }
    }
    return nil
  }

  /// Threads that help with a picture of `pixelCount` pixels on `cores` processors.
  ///
  /// A frame thread costs a picture of memory, as much again in tables, and a picture of delay before the first one comes
  /// out: 9 MB at 1080p, where two threads decode H.264 at 60 a second three times over.
  static func threadCount(pixelCount: Int, cores: Int) -> Int {
    let useful = pixelCount <= 1920 * 1088 ? 2 : pixelCount <= 4096 * 2304 ? 4 : 8
    return max(1, min(cores, useful))
  }

  /// The threads for video of `frameRate` frames a second: `wanted` where that isn't 0, else as many as it takes.
  static func threads(wanted: Int, pixelCount: Int, frameRate: AVRational) -> DecoderThreads {
    if wanted > 0 { return DecoderThreads(fixed: min(wanted, 64)) }
    let limit = threadCount(pixelCount: pixelCount, cores: Int(av_cpu_count()))
    let rate = Int64(frameRate.num)
    return DecoderThreads(
      limit: limit, frameDuration: rate > 0 ? Int64(frameRate.den) * 1_000_000_000 / rate : 0)
  }
}
