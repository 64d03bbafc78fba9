import CFFmpeg
import KiteCore

// What is to be found out of a container, beside what its header says.
extension OpenedContainer {
  /// Whether FFmpeg has to read ahead and decode to know what is in the container.
  ///
  /// That costs 8 to 20 ms at 1080p, more than the first picture itself. MP4 and Matroska state everything in their
  /// header. The exception is H.264 and its like in Matroska and in fragmented MP4: without analysis nobody knows by how
  /// many pictures it re-orders, and the first ones could come out in the wrong order. The index of an MP4 tells it.
  static func needsAnalysis(_ context: UnsafeMutablePointer<AVFormatContext>) -> Bool {
    guard let name = context.pointee.iformat?.pointee.name.map({ String(cString: $0) }) else { return true }
    let isMP4 = name.hasPrefix("mov,mp4")
    let isMatroska = name.hasPrefix("matroska")
    guard isMP4 || isMatroska, context.pointee.nb_streams > 0 else { return true }
    let reordering = [AV_CODEC_ID_H264, AV_CODEC_ID_VC1, AV_CODEC_ID_MPEG4, AV_CODEC_ID_MPEG2VIDEO]
    return !streams(context).allSatisfy { stream in
      let parameters = stream.pointee.codecpar.pointee
      guard hasParameters(stream) else { return false }
      // Counted from the index of an MP4 as a whole; nothing counts the frames of fragments.
      let isIndexed = isMP4 && stream.pointee.nb_frames > 0
      return isIndexed || !reordering.contains(parameters.codec_id)
    }
  }

  /// Lets FFmpeg read ahead. Its decoders get the same bound on pictures as ours: a PNG that claims 60000×60000 pixels
  /// would take 14 GB here.
  static func analyze(
    _ context: UnsafeMutablePointer<AVFormatContext>, options: FFmpegBackend.Options
  ) -> Int32 {
    let count = Int(context.pointee.nb_streams)
    // A stated frame rate is believed; twenty frames to measure it cost 5 ms and more.
    if streams(context).allSatisfy({
      $0.pointee.avg_frame_rate.num > 0 || $0.pointee.codecpar.pointee.codec_type != AVMEDIA_TYPE_VIDEO
    }) {
      context.pointee.fps_probe_size = 0
    }
    // One more than needed: there may be no stream yet.
    return withUnsafeTemporaryAllocation(of: OpaquePointer?.self, capacity: count + 1) { dictionaries in
      dictionaries.initialize(repeating: nil)
      for index in 0..<count {
        av_dict_set_int(&dictionaries[index], "max_pixels", Int64(options.maxPixelCount), 0)
      }
      let result = avformat_find_stream_info(context, dictionaries.baseAddress)
      for index in 0..<count { av_dict_free(&dictionaries[index]) }
      return result
    }
  }

  /// Whether the container says enough of a stream to open its decoder.
  static func hasParameters(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
    let parameters = stream.pointee.codecpar.pointee
    switch parameters.codec_type {
    case AVMEDIA_TYPE_VIDEO:
      return parameters.codec_id != AV_CODEC_ID_NONE && parameters.width > 0 && parameters.height > 0
        && (stream.pointee.avg_frame_rate.num > 0 || stream.pointee.nb_frames == 1)
    case AVMEDIA_TYPE_AUDIO:
      return parameters.codec_id != AV_CODEC_ID_NONE && parameters.sample_rate > 0
        && kite_channel_count(stream.pointee.codecpar) > 0
    default:
      return true
    }
  }

  static func streams(_ context: UnsafeMutablePointer<AVFormatContext>) -> [UnsafeMutablePointer<
    AVStream
  >] {
    (0..<Int(context.pointee.nb_streams)).compactMap { context.pointee.streams[$0] }
  }

  /// Video and audio, without cover art.
  static func playable(_ context: UnsafeMutablePointer<AVFormatContext>) -> [UnsafeMutablePointer<
    AVStream
  >] {
    streams(context).filter { stream in
      let type = stream.pointee.codecpar.pointee.codec_type
      return (type == AVMEDIA_TYPE_VIDEO || type == AVMEDIA_TYPE_AUDIO)
        && stream.pointee.codecpar.pointee.codec_id != AV_CODEC_ID_NONE
        && stream.pointee.disposition & kite_disposition_attached_picture == 0
    }
  }
}
