import CFFmpeg
import KiteCore

/// Decodes one video track in software. Used by one thread at a time; FFmpeg adds threads of its own.
final class FFmpegVideoDecoder: VideoDecoder {
  /// Owned; freed first in `deinit`, which ends its threads.
  private let context: UnsafeMutablePointer<AVCodecContext>
  /// Owned; what comes out, before it moves into a frame of its own.
  private let output: UnsafeMutablePointer<AVFrame>
  private let subject: String
  private let codecName: String
  private let buffers: PoolBuffers?
  private let maxPixelCount: Int
  private var assembler: FrameAssembler
  private var isDraining = false
  /// Errors in a row while draining: a decoder that only fails has nothing left to say.
  private var drainFailures = 0

  private static let drainFailureLimit = 256

  init(
    subject: String, parameters: CodecParameters, facts: StreamFacts, options: VideoDecoderOptions,
    backend: FFmpegBackend.Options
  ) throws(MediaError) {
    let id = parameters.raw.pointee.codec_id
    let codecName = String(cString: avcodec_get_name(id))
    guard let decoder = DecoderChoice.decoder(for: id) else {
      throw MediaError(
        kind: .unsupported, subject: subject,
        reason: "holds \(codecName) video, for which this FFmpeg has no decoder",
        advice: "Install an FFmpeg with that decoder.")
    }
    let pixels = facts.codedSize.width.multipliedReportingOverflow(by: facts.codedSize.height)
    guard !pixels.overflow, pixels.partialValue <= backend.maxPixelCount else {
      throw MediaError(
        kind: .unsupported, subject: subject,
        reason:
          "says it is \(facts.codedSize.width)×\(facts.codedSize.height) pixels, more than the \(backend.maxPixelCount) allowed",
        advice: "It is damaged, or needs FFmpegBackend.Options.maxPixelCount raised.")
    }
    guard let context = avcodec_alloc_context3(decoder), let output = av_frame_alloc() else {
      throw MediaError.reading(subject, code: kite_error_no_memory)
    }
    self.context = context
    self.output = output
    self.subject = subject
    self.codecName = codecName
    buffers = options.pool.map(PoolBuffers.init)
    maxPixelCount = backend.maxPixelCount
    assembler = FrameAssembler(facts: facts, subject: subject)

    // From here on `deinit` frees both, also when the initialiser throws.
    guard avcodec_parameters_to_context(context, parameters.raw) >= 0 else {
      throw MediaError.reading(subject, code: kite_error_no_memory)
    }
    configure(parameters: parameters, pixelCount: pixels.partialValue, options: options, backend: backend)
    let (result, hint) = LogCollector.lastError { avcodec_open2(context, decoder, nil) }
    guard result >= 0 else { throw Self.openingFailed(subject, codecName, code: result, hint: hint) }
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = context
    avcodec_free_context(&context)
    var output: UnsafeMutablePointer<AVFrame>? = output
    av_frame_free(&output)
    // FFmpeg's threads, which used it, are gone now.
    withExtendedLifetime(buffers) {}
  }

  private func configure(
    parameters: CodecParameters, pixelCount: Int, options: VideoDecoderOptions, backend: FFmpegBackend.Options
  ) {
    context.pointee.pkt_timebase = parameters.timeBase
    context.pointee.framerate = parameters.frameRate
    context.pointee.max_pixels = Int64(backend.maxPixelCount)
    // The crop travels with the frame, so that the planes stay where the memory's layout has them.
    context.pointee.apply_cropping = 0
    let wanted = options.threadCount > 0 ? options.threadCount : backend.threadCount
    let threads =
      wanted > 0
      ? min(wanted, 64) : DecoderChoice.threadCount(pixelCount: pixelCount, cores: Int(av_cpu_count()))
    context.pointee.thread_count = Int32(threads)
    context.pointee.thread_type = FF_THREAD_FRAME | FF_THREAD_SLICE
    // libdav1d: frames in flight inside. Its own default grows with the processors.
    kite_codec_set_private(context, "max_frame_delay", Int64(min(threads, 2)))
    if let buffers {
      context.pointee.opaque = Unmanaged.passUnretained(buffers).toOpaque()
      context.pointee.get_buffer2 = { @Sendable context, frame, flags in
        PoolBuffers.getBuffer(context, frame, flags)
      }
      kite_codec_allow_threaded_callbacks(context)
    }
  }

  var skipsNonReferenceFrames = false {
    didSet { context.pointee.skip_frame = skipsNonReferenceFrames ? AVDISCARD_NONREF : AVDISCARD_DEFAULT }
  }

  func send(_ packet: (any MediaPacket)?) throws(MediaError) {
    guard let packet else {
      isDraining = true
      drainFailures = 0
      _ = avcodec_send_packet(context, nil)
      return
    }
    guard let packet = packet as? FFmpegPacket else {
      throw MediaError(
        kind: .unsupported, subject: subject, reason: "was given a packet that another library read",
        advice: "Decode with the decoder of the source that read the packet.")
    }
    // FFmpeg takes no empty packet for data: it would be a drain.
    if packet.byteCount == 0, packet.raw.pointee.side_data_elems == 0 { return }
    let result = avcodec_send_packet(context, packet.raw)
    if result < 0 { throw failure(result) }
  }

  func receive() throws(MediaError) -> VideoDecoderOutput {
    while true {
      let result = avcodec_receive_frame(context, output)
      switch result {
      case 0:
        drainFailures = 0
        defer { av_frame_unref(output) }
        return .frame(try assembler.assemble(output, buffers: buffers))
      case kite_error_again:
        return .needsInput
      case kite_error_eof:
        return .ended
      default:
        if isDraining {
          drainFailures += 1
          if drainFailures > Self.drainFailureLimit { return .ended }
        }
        throw failure(result)
      }
    }
  }

  func flush() {
    avcodec_flush_buffers(context)
    isDraining = false
    assembler.reset()
  }

  private func failure(_ code: Int32) -> MediaError {
    switch code {
    case kite_error_no_memory:
      return MediaError(
        kind: .resources, subject: subject, reason: "needs more memory to decode than there is",
        advice: "Close other programs and try again.")
    case kite_error_again:
      return MediaError(
        kind: .decoding, subject: subject, reason: "was sent a packet while pictures waited to be received")
    case kite_error_patch_welcome:
      return MediaError(
        kind: .unsupported, subject: subject, reason: "uses a part of \(codecName) that FFmpeg can't decode")
    default:
      return MediaError(
        kind: .decoding, subject: subject,
        reason: "has a damaged \(codecName) packet: \(MediaError.text(of: code))")
    }
  }

  private static func openingFailed(_ subject: String, _ codec: String, code: Int32, hint: String?)
    -> MediaError
  {
    if code == kite_error_no_memory { return MediaError.reading(subject, code: code) }
    let detail = hint ?? MediaError.text(of: code)
    return MediaError(
      kind: .unsupported, subject: subject, reason: "holds \(codec) video that can't be decoded (\(detail))",
      advice: "It is damaged, or needs a newer FFmpeg.")
  }
}
