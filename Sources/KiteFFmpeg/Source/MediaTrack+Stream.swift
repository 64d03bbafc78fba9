import CFFmpeg
import KiteCore

extension MediaTrack {
  /// The track that `stream` is.
  init(_ stream: UnsafeMutablePointer<AVStream>) {
    let parameters = stream.pointee.codecpar.pointee
    let kind: Kind =
      switch parameters.codec_type {
      case AVMEDIA_TYPE_VIDEO: .video
      case AVMEDIA_TYPE_AUDIO: .audio
      case AVMEDIA_TYPE_SUBTITLE: .subtitle
      default: .other
      }
    let facts = StreamFacts(stream, origin: .zero)
    let language = Self.metadata("language", of: stream)
    self.init(
      id: Int(stream.pointee.index),
      kind: kind,
      codec: String(cString: avcodec_get_name(parameters.codec_id)),
      language: language == "und" ? nil : language,
      title: Self.metadata("title", of: stream),
      isDefault: stream.pointee.disposition & kite_disposition_default != 0,
      isForced: stream.pointee.disposition & kite_disposition_forced != 0,
      isAttachedPicture: stream.pointee.disposition & kite_disposition_attached_picture != 0,
      displaySize: kind == .video ? facts.displaySize : nil,
      frameRate: kind == .video ? facts.frameRate : nil,
      audioFormat: kind == .audio ? Self.audioFormat(parameters) : nil)
  }

  private static func audioFormat(_ parameters: AVCodecParameters) -> AudioFormat? {
    let channels = withUnsafePointer(to: parameters) { Int(kite_channel_count($0)) }
    guard parameters.sample_rate > 0, channels > 0 else { return nil }
    return AudioFormat(sampleRate: Int(parameters.sample_rate), channelCount: channels)
  }

  static func metadata(_ key: String, of stream: UnsafeMutablePointer<AVStream>) -> String? {
    guard let entry = av_dict_get(stream.pointee.metadata, key, nil, 0), let value = entry.pointee.value
    else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
  }
}
