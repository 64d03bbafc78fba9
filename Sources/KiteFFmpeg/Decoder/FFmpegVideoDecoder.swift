import CFFmpeg
import KiteCore

/// Decodes one video track. Used by one thread at a time; FFmpeg adds threads of its own.
///
/// A device that fails in the middle of a stream is given up: the processor decodes again from the last keyframe on, and
/// what was shown already is passed over.
final class FFmpegVideoDecoder: VideoDecoder {
  private(set) var session: CodecSession
  let decoder: UnsafePointer<AVCodec>
  let setup: CodecSession.Setup
  /// Owned; what comes out, before it moves into a frame of its own.
  private let output: UnsafeMutablePointer<AVFrame>
  private let subject: String
  private let codecName: String
  private let policy: HardwarePolicy
  private var assembler: FrameAssembler
  private(set) var isDraining = false
  /// Errors in a row while draining: a decoder that only fails has nothing left to say.
  private var drainFailures = 0
  private(set) var report: DecoderReport
  /// How many threads decode.
  var threads: DecoderThreads
  /// What the threads cost is told by; a test may have another clock.
  var threadClock = FFmpegVideoDecoder.threadTime
  /// What the one thread has worked since the last picture, in nanoseconds.
  var spent: Int64 = 0
  /// A keyframe that other threads are to begin with, once all before it has come out.
  var held: FFmpegPacket?
  /// What the processor has to be given should the device fail, or more threads should one be too slow.
  var replay: ReplayQueue<FFmpegPacket>
  /// What they are still to be given since.
  var resending: ArraySlice<FFmpegPacket> = []
  /// The timestamp of the last picture that came out, in the stream's units.
  private(set) var lastTimestamp = kite_no_pts
  /// Pictures up to this timestamp have been shown.
  var shownTimestamp = kite_no_pts

  /// Packets that are decoded again at the most where one thread proves slow: two seconds, which more threads decode in the
  /// time that the pictures that wait are shown. Behind that the next keyframe has to do.
  private static let replayLimit = 64

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
    let setup = CodecSession.Setup(
      subject: subject, parameters: parameters, buffers: options.pool.map(PoolBuffers.init),
      maxPixelCount: backend.maxPixelCount)
    let threads = DecoderChoice.threads(
      wanted: options.threadCount > 0 ? options.threadCount : backend.threadCount,
      pixelCount: pixels.partialValue, frameRate: parameters.frameRate)
    let opened = try CodecSession.open(
      decoder, setup, threadCount: threads.count, policy: backend.hardware, path: backend.hardwareDevice)
    guard let output = av_frame_alloc() else {
      throw MediaError.reading(subject, code: kite_error_no_memory)
    }
    self.decoder = decoder
    self.setup = setup
    self.session = opened.session
    self.report = opened.report
    self.output = output
    self.subject = subject
    self.codecName = codecName
    self.threads = threads
    replay = ReplayQueue(countLimit: opened.session.way == nil ? Self.replayLimit : .max)
    policy = backend.hardware
    assembler = FrameAssembler(facts: facts, subject: subject)
  }

  deinit {
    var output: UnsafeMutablePointer<AVFrame>? = output
    av_frame_free(&output)
  }

  var context: UnsafeMutablePointer<AVCodecContext> { session.context }

  var skipsNonReferenceFrames = false {
    didSet {
      context.pointee.skip_frame = skipsNonReferenceFrames ? AVDISCARD_NONREF : AVDISCARD_DEFAULT
      if skipsNonReferenceFrames { threads.hurry() }
    }
  }

  func send(_ packet: (any MediaPacket)?) throws(MediaError) {
    guard let packet else {
      isDraining = true
      drainFailures = 0
      if resending.isEmpty { _ = avcodec_send_packet(context, nil) }
      return
    }
    guard let packet = try FFmpegPacket.decodable(packet, subject: subject) else { return }
    // Others begin first: a packet may come so early where one before it was damaged.
    if session.way == nil, held != nil || !resending.isEmpty {
      resending.append(packet)
      return
    }
    if session.way != nil || threads.measures { keep(packet) }
    if changesThreads(before: packet) { return }
    let result = measured { avcodec_send_packet(context, packet.raw) }
    guard result < 0 else { return }
    if try takesOver(after: result) { return }
    throw failure(result)
  }

  func receive() throws(MediaError) -> VideoDecoderOutput {
    while true {
      let result = measured { avcodec_receive_frame(context, output) }
      switch result {
      case 0:
        drainFailures = 0
        if session.way == nil { threads.decoded(cost: spent) }
        spent = 0
        defer { av_frame_unref(output) }
        if let frame = try assembled() { return .frame(frame) }
      case kite_error_again:
        guard let packet = resending.popFirst() else { return .needsInput }
        if session.way == nil, threads.measures { keep(packet) }
        _ = avcodec_send_packet(context, packet.raw)
        if resending.isEmpty, isDraining { _ = avcodec_send_packet(context, nil) }
      case kite_error_eof:
        if goesOnWithOtherThreads() { continue }
        return .ended
      default:
        if try takesOver(after: result) { continue }
        if isDraining {
          drainFailures += 1
          if drainFailures > Self.drainFailureLimit { return .ended }
        }
        throw failure(result)
      }
    }
  }

  /// The picture in `output`; nil for one that was shown before, or that only the processor can give.
  private func assembled() throws(MediaError) -> VideoFrame? {
    let timestamp = output.pointee.best_effort_timestamp
    if shownTimestamp != kite_no_pts, timestamp != kite_no_pts, timestamp <= shownTimestamp { return nil }
    shownTimestamp = kite_no_pts
    if session.way != nil, kite_frame_device_format(output) == AV_PIX_FMT_NONE { try noteRefusal() }
    do throws(MediaError) {
      let frame = try assembler.assemble(output, buffers: setup.buffers, device: session.device?.number)
      lastTimestamp = timestamp
      return frame
    } catch {
      guard session.way != nil, try takesOver(because: error.reason) else { throw error }
      return nil
    }
  }

  func flush() {
    if !beginsAnew() { avcodec_flush_buffers(context) }
    isDraining = false
    replay.removeAll()
    resending = []
    lastTimestamp = kite_no_pts
    shownTimestamp = kite_no_pts
    assembler.reset()
  }

  // MARK: Devices that fail

  /// FFmpeg has turned to the processor by itself: the device does not decode such a stream.
  private func noteRefusal() throws(MediaError) {
    let name = session.way?.name ?? ""
    guard policy != .required else { throw required("\(name) does not decode such a stream") }
    report = DecoderReport(reason: "\(name) does not decode such a stream.")
  }

  /// Whether the processor takes over after this error of a device.
  private func takesOver(after code: Int32) throws(MediaError) -> Bool {
    // Damage is damage for both.
    guard session.way != nil, code != kite_error_invalid_data, code != kite_error_again else { return false }
    return try takesOver(because: MediaError.text(of: code))
  }

  func takesOver(because reason: String) throws(MediaError) -> Bool {
    let name = session.way?.name ?? ""
    guard policy != .required else { throw required("\(name) failed: \(reason)") }
    // As on the way to a seek's picture: there is something to get past.
    try begin(way: nil, threadCount: threads.limit)
    threads.tookMore(forSeek: true)
    report = DecoderReport(reason: "\(name) failed: \(reason).")
    resending = replay.take()[...]
    replay = ReplayQueue(countLimit: Self.replayLimit)
    shownTimestamp = lastTimestamp
    if resending.isEmpty, isDraining { _ = avcodec_send_packet(context, nil) }
    return true
  }

  /// Decodes in another way from now on.
  func begin(way: HardwareWay?, threadCount: Int? = nil) throws(MediaError) {
    session = try CodecSession(decoder, setup, threadCount: threadCount ?? threads.count, way: way)
    context.pointee.skip_frame = skipsNonReferenceFrames ? AVDISCARD_NONREF : AVDISCARD_DEFAULT
  }

  private func required(_ reason: String) -> MediaError {
    MediaError(
      kind: .device, subject: subject, reason: "can't be decoded by a device as is required (\(reason))",
      advice: "Set FFmpegBackend.Options.hardware to auto.")
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
}
