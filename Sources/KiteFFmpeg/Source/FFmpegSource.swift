import CFFmpeg
import KiteCore

/// A container that FFmpeg reads. Used by one thread at a time.
final class FFmpegSource: MediaSource {
  let tracks: [MediaTrack]
  let duration: MediaTime?

  let location: String
  let options: FFmpegBackend.Options
  /// Owned; freed in `deinit` before the input it reads from.
  let context: UnsafeMutablePointer<AVFormatContext>
  /// Where media time begins, in nanoseconds of the container's time.
  let origin: MediaTime
  let interrupt: InterruptFlag
  let support: OpenedContainer.Support

  /// Packets that opening or seeking looked at; they come out first.
  var lookedAt: [FFmpegPacket]
  private var selection: Set<Int>
  /// Read calls in a row that met damage.
  private var failures = 0

  /// A container may be damaged in the middle: what follows is tried that often before it counts as unreadable.
  private static let failureLimit = 32

  /// - Parameter content: what it has to hold, to be of use.
  init(
    _ from: MediaOrigin, interrupt: InterruptFlag, options: FFmpegBackend.Options,
    content: OpenedContainer.Content = .playable
  ) throws(MediaError) {
    let opened = try OpenedContainer.open(from, interrupt: interrupt, options: options, content: content)
    location = from.name
    self.options = options
    self.interrupt = interrupt
    context = opened.context
    support = opened.support
    origin = opened.origin
    lookedAt = opened.lookedAt
    let context = opened.context
    let tracks = (0..<Int(context.pointee.nb_streams)).compactMap {
      context.pointee.streams[$0].map(MediaTrack.init)
    }
    self.tracks = tracks
    selection = Set(tracks.map(\.id))
    let length = context.pointee.duration
    duration =
      length != kite_no_pts && length > 0 ? MediaTime(nanoseconds: length.multipliedClamped(by: 1000)) : nil
  }

  deinit {
    var context: UnsafeMutablePointer<AVFormatContext>? = context
    avformat_close_input(&context)
    // Only now may the reader go.
    withExtendedLifetime(support) {}
  }

  var isRemote: Bool { support.isRemote }

  func select(_ trackIDs: Set<Int>) {
    selection = trackIDs
    for index in 0..<Int(context.pointee.nb_streams) {
      context.pointee.streams[index]?.pointee.discard =
        trackIDs.contains(index) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
    }
  }

  func readPacket() throws(MediaError) -> (any MediaPacket)? {
    while !lookedAt.isEmpty {
      let packet = lookedAt.removeFirst()
      if selection.contains(packet.trackID) { return packet }
    }
    support.local?.waitsForGrowth = true
    return try nextPacket()
  }

  /// The next packet of a selected track from the container itself.
  func nextPacket() throws(MediaError) -> FFmpegPacket? {
    guard let packet = av_packet_alloc() else {
      throw MediaError.reading(location, code: kite_error_no_memory)
    }
    defer {
      var packet: UnsafeMutablePointer<AVPacket>? = packet
      av_packet_free(&packet)
    }
    while true {
      if interrupt.isSet { throw MediaError.cancelled(location) }
      support.guardian.restart()
      let result = av_read_frame(context, packet)
      if let failure = support.reader?.input.failure { throw failure }
      if result >= 0 {
        failures = 0
        let index = Int(packet.pointee.stream_index)
        // A demuxer may find further streams half-way; nobody knows them, so nobody selected them.
        guard selection.contains(index), let clock = clock(of: index) else {
          av_packet_unref(packet)
          continue
        }
        guard let packet = FFmpegPacket(taking: packet, clock: clock) else {
          throw MediaError.reading(location, code: kite_error_no_memory)
        }
        return packet
      }
      switch result {
      case kite_error_again: continue
      case _ where interrupt.isSet: throw MediaError.cancelled(location)
      case _ where support.guardian.isExpired, kite_error_timed_out where isRemote:
        throw MediaError.silentServer(location, patience: options.networkTimeout)
      // A playlist's demuxer still says so of a call that was broken off long ago.
      case kite_error_exit, kite_error_eof: return nil
      case kite_error_invalid_data where !isAtEnd && failures < Self.failureLimit: failures += 1
      // A file that was cut off ends where it was cut.
      case kite_error_invalid_data where isAtEnd, kite_error_io where isAtEnd: return nil
      case kite_error_invalid_data where support.needsParts: throw MediaError.withoutParts(location)
      default: throw MediaError.reading(location, code: result)
      }
    }
  }

  private var isAtEnd: Bool {
    guard let reader = context.pointee.pb else { return false }
    return avio_feof(reader) != 0
  }

  /// Between a track's timestamps and media time.
  func clock(of index: Int) -> StreamClock? {
    guard index >= 0, index < Int(context.pointee.nb_streams), let stream = context.pointee.streams[index]
    else { return nil }
    return StreamClock(timeBase: stream.pointee.time_base, origin: origin)
  }

  func makeVideoDecoder(for trackID: Int, options: VideoDecoderOptions) throws(MediaError)
    -> sending any VideoDecoder
  {
    guard let track = tracks.first(where: { $0.id == trackID }), track.kind == .video,
      let stream = context.pointee.streams[trackID]
    else {
      throw MediaError(kind: .noStreams, subject: location, reason: "has no video track \(trackID)")
    }
    guard let parameters = CodecParameters(copying: stream) else {
      throw MediaError.reading(location, code: kite_error_no_memory)
    }
    return try FFmpegVideoDecoder(
      subject: location, parameters: parameters, facts: StreamFacts(stream, origin: origin), options: options,
      backend: self.options)
  }

  func makeAudioDecoder(for trackID: Int, format: AudioFormat) throws(MediaError) -> sending any AudioDecoder
  {
    guard let track = tracks.first(where: { $0.id == trackID }), track.kind == .audio,
      let stream = context.pointee.streams[trackID], let clock = clock(of: trackID)
    else {
      throw MediaError(kind: .noStreams, subject: location, reason: "has no audio track \(trackID)")
    }
    guard let parameters = CodecParameters(copying: stream) else {
      throw MediaError.reading(location, code: kite_error_no_memory)
    }
    return try FFmpegAudioDecoder(subject: location, parameters: parameters, clock: clock, format: format)
  }
}

extension Int64 {
  func multipliedClamped(by factor: Int64) -> Int64 {
    let (value, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? ((self < 0) == (factor < 0) ? .max : .min) : value
  }
}
