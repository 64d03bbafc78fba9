import CFFmpeg
import KiteCore

extension FFmpegSource {
  /// Bytes of fonts that are taken from one file at the most; films bring a few megabytes.
  private static let fontByteLimit = 256 << 20

  func makeSubtitleDecoder(for trackID: Int) throws(MediaError) -> sending any SubtitleDecoder {
    guard let track = tracks.first(where: { $0.id == trackID }), track.kind == .subtitle,
      let stream = context.pointee.streams[trackID]
    else {
      throw MediaError(kind: .noStreams, subject: location, reason: "has no subtitle track \(trackID)")
    }
    guard let parameters = CodecParameters(copying: stream) else {
      throw MediaError.reading(location, code: kite_error_no_memory)
    }
    return try FFmpegSubtitleDecoder(subject: location, parameters: parameters, canvas: pictureSize)
  }

  /// The size of the picture that subtitles without a size of their own are for.
  private var pictureSize: PixelSize {
    for track in tracks where track.kind == .video && !track.isAttachedPicture {
      guard let stream = context.pointee.streams[track.id] else { continue }
      let parameters = stream.pointee.codecpar.pointee
      return PixelSize(width: Int(parameters.width), height: Int(parameters.height))
    }
    return .zero
  }

  var fonts: [MediaAttachment] {
    var fonts: [MediaAttachment] = []
    var byteCount = 0
    for index in 0..<Int(context.pointee.nb_streams) {
      guard let stream = context.pointee.streams[index],
        stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_ATTACHMENT,
        let bytes = stream.pointee.codecpar.pointee.extradata
      else { continue }
      let count = Int(stream.pointee.codecpar.pointee.extradata_size)
      let name = MediaTrack.metadata("filename", of: stream) ?? ""
      let type = MediaTrack.metadata("mimetype", of: stream) ?? ""
      byteCount += max(0, count)
      guard count > 0, byteCount <= Self.fontByteLimit, Self.isFont(name: name, type: type) else { continue }
      fonts.append(
        MediaAttachment(name: name, bytes: Array(UnsafeBufferPointer(start: bytes, count: count))))
    }
    return fonts
  }

  /// Muxers name the types of fonts in a dozen ways; the name's end tells as much.
  private static func isFont(name: String, type: String) -> Bool {
    let name = name.lowercased()
    return type.contains("font") || type.contains("opentype")
      || [".ttf", ".otf", ".ttc", ".otc"].contains { name.hasSuffix($0) }
  }

  var chapters: [Chapter] {
    (0..<Int(context.pointee.nb_chapters)).compactMap { index in
      guard let chapter = context.pointee.chapters[index]?.pointee else { return nil }
      let clock = StreamClock(timeBase: chapter.time_base, origin: origin)
      guard let start = clock.time(chapter.start), let end = clock.time(chapter.end) else { return nil }
      let title = av_dict_get(chapter.metadata, "title", nil, 0)?.pointee.value.map { String(cString: $0) }
      return Chapter(title: title, start: start, end: end)
    }
  }
}
