import CFFmpeg
import KiteCore

/// A container just opened, with all that was learnt on the way. Whoever takes it owns the context.
struct OpenedContainer {
  let context: UnsafeMutablePointer<AVFormatContext>
  /// What the context refers to; to be let go after it.
  let support: Support
  let origin: MediaTime
  var lookedAt: [FFmpegPacket] = []

  /// What a context needs as long as it lives.
  struct Support {
    let guardian: CallGuard
    /// Our own way to the bytes; nil: FFmpeg's.
    var reader: InputReader?
    var opener: NestedOpener?
    var isRemote = false

    var local: LocalInput? { reader?.input as? LocalInput }

    /// Whether it is an MP4 that comes from its beginning to its end alone: with its index at the end it can't be played.
    var needsParts: Bool {
      guard let remote = reader?.input as? RemoteInput else { return false }
      return remote.beginsLikeMP4 && !remote.isSeekable
    }
  }

  /// Packets read at most to learn when each track starts.
  private static let lookAhead = 16

  /// What a container has to hold.
  enum Content {
    /// Video or sound.
    case playable
    /// Subtitles; their times count from zero.
    case subtitles
  }

  static func open(
    _ from: MediaOrigin, interrupt: InterruptFlag, options: FFmpegBackend.Options, content: Content
  ) throws(MediaError) -> OpenedContainer {
    let subject = from.name
    if interrupt.isSet { throw MediaError.cancelled(subject) }
    let (context, support) = try openContext(from, interrupt: interrupt, options: options)
    do throws(MediaError) {
      if needsAnalysis(context) {
        support.guardian.restart()
        let (result, hint) = LogCollector.lastError { analyze(context, options: options) }
        if interrupt.isSet { throw MediaError.cancelled(subject) }
        if let failure = failure(of: support, subject, options) { throw failure }
        if result < 0 { throw MediaError.reading(subject, code: result, hint: hint) }
      }
      if content == .subtitles {
        try checkSubtitles(context, subject: subject)
        return OpenedContainer(context: context, support: support, origin: .zero)
      }
      try check(context, subject: subject, isSilent: support.local?.isSilent ?? false)
      support.guardian.restart()
      let (origin, packets) = try findOrigin(context, interrupt: interrupt, subject: subject)
      return OpenedContainer(context: context, support: support, origin: origin, lookedAt: packets)
    } catch {
      var context: UnsafeMutablePointer<AVFormatContext>? = context
      avformat_close_input(&context)
      throw error.kind == .notMedia && support.needsParts ? MediaError.withoutParts(subject) : error
    }
  }

  private static func openContext(
    _ from: MediaOrigin, interrupt: InterruptFlag, options: FFmpegBackend.Options
  ) throws(MediaError) -> (UnsafeMutablePointer<AVFormatContext>, Support) {
    let subject = from.name
    guard let fresh = avformat_alloc_context() else {
      throw MediaError.reading(subject, code: kite_error_no_memory)
    }
    var context: UnsafeMutablePointer<AVFormatContext>? = fresh
    var dictionary: OpaquePointer?
    defer { av_dict_free(&dictionary) }
    let url: String
    var support: Support
    do throws(MediaError) {
      (url, support) = try prepare(fresh, from, interrupt, options, &dictionary)
    } catch {
      avformat_free_context(fresh)
      throw error
    }
    // The source keeps the guard for as long as the context lives.
    fresh.pointee.interrupt_callback = support.guardian.callback
    fresh.pointee.probesize = Int64(options.probeByteCount)
    fresh.pointee.max_analyze_duration = options.probeDuration.nanoseconds / 1000
    support.guardian.restart()
    let (result, hint) = LogCollector.lastError { avformat_open_input(&context, url, nil, &dictionary) }
    guard result >= 0, let context else {
      // FFmpeg has freed the context.
      if interrupt.isSet { throw MediaError.cancelled(subject) }
      if let failure = failure(of: support, subject, options) { throw failure }
      if support.local?.isSilent == true { throw silentPipe(subject) }
      if support.isRemote, support.reader == nil, result == kite_error_timed_out {
        throw MediaError.silentServer(subject, patience: options.networkTimeout)
      }
      if support.needsParts { throw MediaError.withoutParts(subject) }
      // By its name alone FFmpeg takes any file for MP4, and then misses the index in it.
      let isNamedOnly = support.reader.map { !$0.input.beginsLikeMP4 } ?? false
      throw MediaError.reading(subject, code: result, hint: isNamedOnly ? nil : hint)
    }
    return (context, support)
  }

  /// Puts our way to the bytes of `location` into `context`, and says how FFmpeg is to call it.
  private static func prepare(
    _ context: UnsafeMutablePointer<AVFormatContext>, _ from: MediaOrigin, _ interrupt: InterruptFlag,
    _ options: FFmpegBackend.Options, _ dictionary: inout OpaquePointer?
  ) throws(MediaError) -> (url: String, Support) {
    let subject = from.name
    let url: String
    var support: Support
    switch from.address {
    case nil:
      support = Support(guardian: CallGuard(interrupt, patience: nil))
      if case .bytes(let source, _) = from {
        let input = ByteSourceInput(source, subject: subject, interrupt: interrupt)
        support.reader = try InputReader(input, subject: subject)
      }
      // Nothing beside the bytes themselves.
      av_dict_set(&dictionary, "protocol_whitelist", "crypto,data", 0)
      url = subject
    case .path(let path):
      let input = try LocalInput(path: path, interrupt: interrupt, options: options)
      support = Support(guardian: CallGuard(interrupt, patience: nil))
      support.reader = try InputReader(input, subject: subject)
      // What FFmpeg itself allows a local playlist: no network.
      av_dict_set(&dictionary, "protocol_whitelist", "file,crypto,data", 0)
      url = "file:" + path
    case .address(let address):
      avformat_network_init()
      support = Support(guardian: CallGuard(interrupt, patience: options.networkTimeout), isRemote: true)
      support.opener = NestedOpener(context, options)
      guard NetworkOptions.isWeb(address) else {
        NetworkOptions.set(&dictionary, options)
        return (address, support)
      }
      let input = try RemoteInput(
        address: address, subject: subject, guardian: support.guardian, options: options)
      support.reader = try InputReader(input, subject: subject)
      av_dict_set(&dictionary, "protocol_whitelist", NetworkOptions.protocols, 0)
      url = input.address
    }
    context.pointee.pb = support.reader?.context
    context.pointee.flags |= kite_flag_custom_io
    return (url, support)
  }

  /// Why reading is over, where FFmpeg's code can't say it.
  static func failure(
    of support: Support, _ subject: String, _ options: FFmpegBackend.Options
  ) -> MediaError? {
    if let failure = support.reader?.input.failure { return failure }
    guard support.guardian.isExpired else { return nil }
    return MediaError.silentServer(subject, patience: options.networkTimeout)
  }

  private static func check(
    _ context: UnsafeMutablePointer<AVFormatContext>, subject: String, isSilent: Bool
  ) throws(MediaError) {
    if isSilent { throw silentPipe(subject) }
    let streams = playable(context)
    guard !streams.isEmpty else {
      // Random bytes are now and then taken for some container with nothing in it.
      if context.pointee.probe_score <= 25 { throw MediaError.notMedia(subject) }
      throw MediaError(
        kind: .noStreams, subject: subject, reason: "holds neither video nor audio",
        advice: "Give a video or audio file.")
    }
    // A guess on little evidence that found no parameters either.
    if context.pointee.probe_score <= 25, !streams.contains(where: { hasParameters($0) }) {
      throw MediaError.notMedia(subject)
    }
  }

  private static func checkSubtitles(
    _ context: UnsafeMutablePointer<AVFormatContext>, subject: String
  ) throws(MediaError) {
    let hasSubtitles = streams(context).contains {
      $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_SUBTITLE
    }
    guard !hasSubtitles else { return }
    throw MediaError(
      kind: .noStreams, subject: subject, reason: "holds no subtitles",
      advice: "Give a subtitle file, such as SRT, ASS or WebVTT.")
  }

  private static func silentPipe(_ subject: String) -> MediaError {
    MediaError(
      kind: .unreadable, subject: subject, reason: "is a pipe into which nobody writes",
      advice: "Start the program that writes into it first.")
  }

  // MARK: Origin

  /// When the first of the tracks starts; reads some packets where the header doesn't say.
  private static func findOrigin(
    _ context: UnsafeMutablePointer<AVFormatContext>, interrupt: InterruptFlag, subject: String
  ) throws(MediaError) -> (MediaTime, [FFmpegPacket]) {
    var starts: [Int32: Int64] = [:]
    var packets: [FFmpegPacket] = []
    let tracks = playable(context)
    for stream in tracks {
      starts[stream.pointee.index] = StreamClock.nanoseconds(
        stream.pointee.start_time, stream.pointee.time_base)
    }
    while starts.count < tracks.count, packets.count < lookAhead {
      guard let packet = av_packet_alloc() else {
        throw MediaError.reading(subject, code: kite_error_no_memory)
      }
      defer {
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
      }
      // Whatever is wrong here, reading on will say.
      guard av_read_frame(context, packet) >= 0 else { break }
      let index = packet.pointee.stream_index
      guard let stream = context.pointee.streams[Int(index)] else { continue }
      let timestamp = packet.pointee.pts != kite_no_pts ? packet.pointee.pts : packet.pointee.dts
      let isTrack = tracks.contains { $0.pointee.index == index }
      if isTrack, starts[index] == nil {
        let start = stream.pointee.start_time != kite_no_pts ? stream.pointee.start_time : timestamp
        starts[index] = StreamClock.nanoseconds(start, stream.pointee.time_base) ?? 0
      }
      // The origin isn't known yet: the packets get their times below.
      guard
        let taken = FFmpegPacket(
          taking: packet, clock: StreamClock(timeBase: stream.pointee.time_base, origin: .zero))
      else { throw MediaError.reading(subject, code: kite_error_no_memory) }
      packets.append(taken)
    }
    if interrupt.isSet { throw MediaError.cancelled(subject) }
    let origin = MediaTime(nanoseconds: starts.values.min() ?? 0)
    return (origin, packets.map { $0.moved(by: origin) })
  }
}
