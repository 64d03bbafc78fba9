import CFFmpeg
import Glibc
import KiteCore

/// Decodes one subtitle track. FFmpeg makes lines of ASS of every format of text.
final class FFmpegSubtitleDecoder: SubtitleDecoder {
  let form: SubtitleForm
  /// Owned.
  private var context: UnsafeMutablePointer<AVCodecContext>
  private let parameters: CodecParameters
  private let decoder: UnsafePointer<AVCodec>
  private let subject: String
  private let codecName: String
  /// The picture's size, for pictures that don't say what they are for.
  private let canvas: PixelSize
  /// What was once not UTF-8 is taken for this instead.
  private static let fallbackEncoding = "CP1252"
  private var hasFallenBack = false

  /// Bytes of the longest line that was made as ASS: drawings take some hundred KiB.
  private static let styledLimit = 512 << 10
  /// Bytes of the longest line of plain text: more than fits on any screen.
  private static let plainLimit = 8 << 10

  init(subject: String, parameters: CodecParameters, canvas: PixelSize) throws(MediaError) {
    let id = parameters.raw.pointee.codec_id
    let codecName = String(cString: avcodec_get_name(id))
    guard let decoder = avcodec_find_decoder(id) else {
      throw MediaError(
        kind: .unsupported, subject: subject,
        reason: "holds \(codecName) subtitles, for which this FFmpeg has no decoder",
        advice: "Install an FFmpeg with that decoder.")
    }
    self.subject = subject
    self.codecName = codecName
    self.parameters = parameters
    self.decoder = decoder
    self.canvas = canvas
    let context = try Self.open(decoder, parameters, encoding: nil, subject: subject)
    self.context = context
    let isText =
      avcodec_descriptor_get(id).map { $0.pointee.props & kite_codec_property_text_subtitles != 0 } ?? false
    guard isText else {
      form = .pictures
      return
    }
    let header = context.pointee.subtitle_header.map {
      Array(UnsafeBufferPointer(start: $0, count: Int(context.pointee.subtitle_header_size)))
    }
    let isStyled = id == AV_CODEC_ID_ASS || id == AV_CODEC_ID_SSA
    form = .text(header: header ?? [], isStyled: isStyled)
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = context
    avcodec_free_context(&context)
  }

  private static func open(
    _ decoder: UnsafePointer<AVCodec>, _ parameters: CodecParameters, encoding: String?, subject: String
  ) throws(MediaError) -> UnsafeMutablePointer<AVCodecContext> {
    var context = avcodec_alloc_context3(decoder)
    guard let fresh = context, avcodec_parameters_to_context(fresh, parameters.raw) >= 0 else {
      avcodec_free_context(&context)
      throw MediaError.reading(subject, code: kite_error_no_memory)
    }
    fresh.pointee.pkt_timebase = parameters.timeBase
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    if let encoding { av_dict_set(&options, "sub_charenc", encoding, 0) }
    let (result, hint) = LogCollector.lastError { avcodec_open2(fresh, decoder, &options) }
    guard result >= 0 else {
      avcodec_free_context(&context)
      throw MediaError(
        kind: .unsupported, subject: subject,
        reason: "holds subtitles that can't be decoded (\(hint ?? MediaError.text(of: result)))",
        advice: "They are damaged, or need a newer FFmpeg.")
    }
    return fresh
  }

  func flush() { avcodec_flush_buffers(context) }

  func decode(_ packet: any MediaPacket) throws(MediaError) -> [SubtitleEvent] {
    guard let packet = try FFmpegPacket.decodable(packet, subject: subject), packet.byteCount > 0,
      let pts = packet.pts
    else { return [] }
    var subtitle = AVSubtitle()
    var isComplete: Int32 = 0
    var result = avcodec_decode_subtitle2(context, &subtitle, &isComplete, packet.raw)
    if result < 0, form != .pictures, !hasFallenBack {
      // Old files are in the encoding of their country; for Latin letters this one is the most common.
      hasFallenBack = true
      if let other = try? Self.open(
        decoder, parameters, encoding: Self.fallbackEncoding, subject: subject)
      {
        var old: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&old)
        context = other
        result = avcodec_decode_subtitle2(context, &subtitle, &isComplete, packet.raw)
      }
    }
    guard result >= 0 else {
      throw MediaError(
        kind: .decoding, subject: subject,
        reason: "has a damaged \(codecName) packet: \(MediaError.text(of: result))")
    }
    guard isComplete != 0 else { return [] }
    defer { avsubtitle_free(&subtitle) }
    return events(of: subtitle, at: pts)
  }

  private func events(of subtitle: AVSubtitle, at pts: MediaTime) -> [SubtitleEvent] {
    func moved(_ milliseconds: UInt32) -> MediaTime {
      pts + MediaTime(nanoseconds: Int64(milliseconds) * 1_000_000)
    }
    let start = moved(subtitle.start_display_time)
    let isOpen = subtitle.end_display_time == 0 || subtitle.end_display_time == .max
    let end = isOpen ? nil : moved(subtitle.end_display_time)
    let rects = (0..<Int(subtitle.num_rects)).compactMap { subtitle.rects?[$0] }
    guard case .text(_, let isStyled) = form else {
      return [SubtitleEvent(start: start, end: end, content: .pictures(rects.compactMap(bitmap)))]
    }
    let limit = isStyled ? Self.styledLimit : Self.plainLimit
    return rects.compactMap { rect in
      guard let text = rect.pointee.ass, strnlen(text, limit + 1) <= limit else { return nil }
      return SubtitleEvent(start: start, end: end, content: .text(String(cString: text)))
    }
  }

  /// A picture of palette indexes as one of colours; nil for an empty or a damaged one.
  private func bitmap(_ rect: UnsafeMutablePointer<AVSubtitleRect>) -> SubtitleBitmap? {
    let rect = rect.pointee
    guard rect.type == SUBTITLE_BITMAP, rect.w > 0, rect.h > 0, let indexes = rect.data.0,
      let colors = rect.data.1
    else { return nil }
    let (width, height, stride) = (Int(rect.w), Int(rect.h), Int(rect.linesize.0))
    guard stride >= width else { return nil }
    let palette = (0..<256).map { index -> UInt32 in
      guard index < Int(rect.nb_colors) else { return 0 }
      let color = UnsafeRawPointer(colors).loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
      return SubtitleBitmap.pixel(
        alpha: UInt8(truncatingIfNeeded: color >> 24), red: UInt8(truncatingIfNeeded: color >> 16),
        green: UInt8(truncatingIfNeeded: color >> 8), blue: UInt8(truncatingIfNeeded: color))
    }
    let pixels = [UInt32](unsafeUninitializedCapacity: width * height) { target, count in
      for y in 0..<height {
        for x in 0..<width { target[y * width + x] = palette[Int(indexes[y * stride + x])] }
      }
      count = width * height
    }
    let place = PixelRect(x: Int(rect.x), y: Int(rect.y), width: width, height: height)
    var canvas = PixelSize(width: Int(context.pointee.width), height: Int(context.pointee.height))
    if canvas.isEmpty { canvas = self.canvas }
    // Nobody says: what a DVD has.
    if canvas.isEmpty { canvas = PixelSize(width: 720, height: max(576, place.y + height)) }
    return SubtitleBitmap(place: place, canvas: canvas, pixels: pixels)
  }
}
