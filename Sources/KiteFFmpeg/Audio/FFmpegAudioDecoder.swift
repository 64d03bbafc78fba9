import CFFmpeg
import KiteCore

/// Decodes one audio track and converts it to one format. Used by one thread at a time.
final class FFmpegAudioDecoder: AudioDecoder {
  /// Owned.
  private let context: UnsafeMutablePointer<AVCodecContext>
  /// Owned; what comes out, before it is converted.
  private let output: UnsafeMutablePointer<AVFrame>
  private let subject: String
  private let codecName: String
  private let clock: StreamClock
  private let format: AudioFormat
  private let converter: SampleConverter
  private var tempo: TempoFilter?
  /// Comes out next, in order.
  private var ready: [AudioSamples] = []
  /// Where the next samples are expected, for those without a time of their own.
  private var next = MediaTime.unknown
  private var isDraining = false
  private var isEmptied = false

  /// Longer pauses and steps back between two frames than this are in the media, not in rounding.
  private static let tolerance: Int64 = 5_000_000

  init(
    subject: String, parameters: CodecParameters, clock: StreamClock, format: AudioFormat
  ) throws(MediaError) {
    let id = parameters.raw.pointee.codec_id
    let codecName = String(cString: avcodec_get_name(id))
    guard let decoder = DecoderChoice.decoder(for: id) else {
      throw MediaError(
        kind: .unsupported, subject: subject,
        reason: "holds \(codecName) sound, for which this FFmpeg has no decoder",
        advice: "Install an FFmpeg with that decoder.")
    }
    guard let context = avcodec_alloc_context3(decoder), let output = av_frame_alloc() else {
      throw MediaError.reading(subject, code: kite_error_no_memory)
    }
    self.context = context
    self.output = output
    self.subject = subject
    self.codecName = codecName
    self.clock = clock
    self.format = format
    converter = SampleConverter(format)
    // From here on `deinit` frees both, also when the initialiser throws.
    guard avcodec_parameters_to_context(context, parameters.raw) >= 0 else {
      throw MediaError.reading(subject, code: kite_error_no_memory)
    }
    context.pointee.pkt_timebase = parameters.timeBase
    context.pointee.thread_count = 1
    let (result, hint) = LogCollector.lastError { avcodec_open2(context, decoder, nil) }
    guard result >= 0 else {
      throw MediaError(
        kind: .unsupported, subject: subject,
        reason: "holds \(codecName) sound that can't be decoded (\(hint ?? MediaError.text(of: result)))",
        advice: "It is damaged, or needs a newer FFmpeg.")
    }
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = context
    avcodec_free_context(&context)
    var output: UnsafeMutablePointer<AVFrame>? = output
    av_frame_free(&output)
  }

  var rate = 1.0 {
    didSet {
      guard rate != oldValue else { return }
      finishTempo()
      tempo = rate == 1 ? nil : TempoFilter(rate: rate, format: format)
    }
  }

  func send(_ packet: (any MediaPacket)?) throws(MediaError) {
    guard let packet else {
      isDraining = true
      _ = avcodec_send_packet(context, nil)
      return
    }
    guard let packet = try FFmpegPacket.decodable(packet, subject: subject) else { return }
    let result = avcodec_send_packet(context, packet.raw)
    if result < 0 { throw failure(result) }
  }

  func receive() throws(MediaError) -> AudioDecoderOutput {
    while true {
      if !ready.isEmpty { return .samples(ready.removeFirst()) }
      let result = avcodec_receive_frame(context, output)
      switch result {
      case 0:
        defer { av_frame_unref(output) }
        try take(output)
      case kite_error_again:
        return .needsInput
      case kite_error_eof:
        guard !isEmptied else { return .ended }
        isEmptied = true
        finishConversion()
        finishTempo()
      default:
        if isDraining { isEmptied = true }
        throw failure(result)
      }
    }
  }

  func flush() {
    avcodec_flush_buffers(context)
    converter.reset()
    tempo = rate == 1 ? nil : TempoFilter(rate: rate, format: format)
    ready.removeAll()
    next = .unknown
    isDraining = false
    isEmptied = false
  }

  // MARK: From frames to samples

  private func take(_ frame: UnsafeMutablePointer<AVFrame>) throws(MediaError) {
    guard frame.pointee.nb_samples > 0, frame.pointee.sample_rate > 0 else { return }
    let pts = clock.time(frame.pointee.best_effort_timestamp)
    if let pts, next != .unknown, abs((pts - next).nanoseconds) > Self.tolerance { finishConversion() }
    let start = pts ?? (next == .unknown ? .zero : next)
    let delay = converter.delay
    guard let samples = converter.convert(frame) else {
      throw MediaError(
        kind: .decoding, subject: subject,
        reason: "has \(codecName) sound in a layout that can't be converted")
    }
    let length = Int64(frame.pointee.nb_samples) * 1_000_000_000 / Int64(frame.pointee.sample_rate)
    next = start + MediaTime(nanoseconds: length)
    pass(samples, at: start - delay)
  }

  /// What the converter still has comes out.
  private func finishConversion() {
    let start = next == .unknown ? MediaTime.unknown : next - converter.delay
    pass(converter.finish(), at: start)
    next = .unknown
  }

  private func pass(_ samples: [Float], at pts: MediaTime) {
    guard !samples.isEmpty else { return }
    let chunk = AudioSamples(pts: pts, channelCount: format.channelCount, samples: samples)
    if let tempo {
      ready += tempo.take(chunk)
    } else {
      ready.append(chunk)
    }
  }

  private func finishTempo() {
    guard let tempo else { return }
    ready += tempo.finish()
    self.tempo = TempoFilter(rate: tempo.rate, format: format)
  }

  private func failure(_ code: Int32) -> MediaError {
    code == kite_error_no_memory
      ? MediaError.reading(subject, code: code)
      : MediaError(
        kind: .decoding, subject: subject,
        reason: "has a damaged \(codecName) packet: \(MediaError.text(of: code))")
  }
}
