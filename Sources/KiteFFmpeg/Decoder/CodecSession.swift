import CFFmpeg
import CLinux
import KiteCore

/// One codec that FFmpeg has opened, with the device that decodes for it.
final class CodecSession {
  /// What every session of a decoder has in common.
  struct Setup {
    let subject: String
    let parameters: CodecParameters
    let buffers: PoolBuffers?
    let maxPixelCount: Int
  }

  /// Owned; freed first in `deinit`, which ends its threads.
  let context: UnsafeMutablePointer<AVCodecContext>
  /// How a device decodes; nil for the processor.
  let way: HardwareWay?
  let device: HardwareDevice?
  private let buffers: PoolBuffers?

  /// Pictures that a device needs beyond those of its decoder: what the engine queues, the renderer keeps waiting and the
  /// compositor has in flight.
  private static let extraFrames: Int32 = 12

  /// Opens `decoder`, or the decoder of `way`, with so many threads.
  init(
    _ decoder: UnsafePointer<AVCodec>, _ setup: Setup, threadCount: Int, way: HardwareWay? = nil,
    device: HardwareDevice? = nil
  ) throws(MediaError) {
    let decoder = way?.decoder ?? decoder
    guard let context = avcodec_alloc_context3(decoder) else {
      throw MediaError.reading(setup.subject, code: kite_error_no_memory)
    }
    self.context = context
    self.way = way
    self.device = device
    buffers = setup.buffers
    // From here on `deinit` frees it, also when the initialiser throws.
    guard avcodec_parameters_to_context(context, setup.parameters.raw) >= 0 else {
      throw MediaError.reading(setup.subject, code: kite_error_no_memory)
    }
    configure(setup, threadCount: threadCount)
    if way != nil {
      context.pointee.hw_device_ctx = device.flatMap { av_buffer_ref($0.reference) }
      context.pointee.extra_hw_frames = Self.extraFrames
      // Pictures come out of a device one by one: further threads would only hold some of them back.
      context.pointee.thread_count = 1
    }
    let (result, hint) = LogCollector.lastError {
      Self.namingThreads("kite-codec") { avcodec_open2(context, decoder, nil) }
    }
    guard result >= 0 else {
      let codec = String(cString: avcodec_get_name(setup.parameters.raw.pointee.codec_id))
      throw Self.openingFailed(setup.subject, codec, code: result, hint: hint)
    }
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = context
    avcodec_free_context(&context)
    // FFmpeg's threads, which used it, are gone now.
    withExtendedLifetime(buffers) {}
  }

  /// Threads that `body` starts have this name: they take that of the thread that starts them, and who looks at what costs
  /// processor time is to see whose they are.
  private static func namingThreads<Result>(_ name: String, _ body: () -> Result) -> Result {
    var own = [CChar](repeating: 0, count: 16)
    kite_thread_name(&own)
    kite_name_thread(name)
    defer { kite_name_thread(own) }
    return body()
  }

  private func configure(_ setup: Setup, threadCount: Int) {
    context.pointee.pkt_timebase = setup.parameters.timeBase
    context.pointee.framerate = setup.parameters.frameRate
    context.pointee.max_pixels = Int64(setup.maxPixelCount)
    // The crop travels with the frame, so that the planes stay where the memory's layout has them.
    context.pointee.apply_cropping = 0
    context.pointee.thread_count = Int32(threadCount)
    context.pointee.thread_type = FF_THREAD_FRAME | FF_THREAD_SLICE
    // libdav1d: frames in flight inside. Its own default grows with the processors.
    kite_codec_set_private(context, "max_frame_delay", Int64(min(threadCount, 2)))
    if let buffers {
      context.pointee.opaque = Unmanaged.passUnretained(buffers).toOpaque()
      context.pointee.get_buffer2 = { @Sendable context, frame, flags in
        PoolBuffers.getBuffer(context, frame, flags)
      }
      kite_codec_allow_threaded_callbacks(context)
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

extension CodecSession {
  /// The best session that `policy` allows, and what is to be said of it.
  ///
  /// - Parameter path: the node of the device; nil for the first one that opens.
  /// - Throws: `MediaError` when a device is required and none can, or the processor can't either.
  static func open(
    _ decoder: UnsafePointer<AVCodec>, _ setup: Setup, threadCount: Int, policy: HardwarePolicy, path: String?
  ) throws(MediaError) -> (session: CodecSession, report: DecoderReport) {
    guard policy != .off else {
      return (
        try CodecSession(decoder, setup, threadCount: threadCount),
        DecoderReport(reason: "Hardware decoding is off.")
      )
    }
    var reasons: [String] = []
    for way in HardwareWay.ways(for: setup.parameters.raw.pointee.codec_id, decoder: decoder) {
      do throws(HardwareDevice.Failure) {
        let device = try way.device.map { kind throws(HardwareDevice.Failure) in
          try HardwareDevice.open(kind, path: path)
        }
        do throws(MediaError) {
          let session = try CodecSession(
            decoder, setup, threadCount: threadCount, way: way, device: device)
          return (session, DecoderReport(hardware: way.name))
        } catch {
          reasons.append("\(way.name): \(error.reason)")
        }
      } catch {
        reasons.append("\(way.name): \(error.reason)")
      }
    }
    let reason =
      reasons.isEmpty
      ? "This FFmpeg decodes no such video on a device."
      : "No device decodes: \(reasons.joined(separator: "; "))."
    guard policy == .auto else {
      throw MediaError(
        kind: .device, subject: setup.subject,
        reason: "can't be decoded by a device as is required (\(reason))",
        advice: "Set FFmpegBackend.Options.hardware to auto, or see that the device can be opened.")
    }
    return (try CodecSession(decoder, setup, threadCount: threadCount), DecoderReport(reason: reason))
  }
}
