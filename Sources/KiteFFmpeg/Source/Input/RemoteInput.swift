import CFFmpeg
import Glibc
import KiteCore
import KiteSystem

/// What a web server has at an address, read over as many connections as it takes.
///
/// FFmpeg's own protocol speaks HTTP; here is what it leaves open: a connection that breaks off is made again where it
/// stood, with growing pauses, and what ends it for good is a typed error.
final class RemoteInput: ByteInput {
  private let subject: String
  private let options: FFmpegBackend.Options
  private let guardian: CallGuard
  /// Nil between two connections.
  private var connection: UnsafeMutablePointer<AVIOContext>?
  private var reconnection: Reconnection
  /// Of the next byte that is read.
  private var position: Int64 = 0
  /// Of the whole; nil where the server doesn't say.
  private let byteCount: Int64?
  /// Where redirections led.
  let address: String
  let isSeekable: Bool
  private(set) var failure: MediaError?
  /// The first bytes of the whole.
  private var head: [UInt8] = []

  var beginsLikeMP4: Bool { InputReader.isMP4(head) }

  /// How soon a pause is interrupted, in nanoseconds.
  private static let pollInterval: Int64 = 10_000_000

  init(address: String, subject: String, guardian: CallGuard, options: FFmpegBackend.Options)
    throws(MediaError)
  {
    self.subject = subject
    self.guardian = guardian
    self.options = options
    reconnection = Reconnection(firstPause: options.reconnectPause)
    guardian.restart()
    let (result, opened, hint) = Self.connect(
      address, at: 0, guardian: guardian, options: options, isFirst: true)
    guard let opened else {
      if guardian.interrupt.isSet { throw MediaError.cancelled(subject) }
      if guardian.isExpired || result == kite_error_timed_out {
        throw MediaError.silentServer(subject, patience: options.networkTimeout)
      }
      throw MediaError.connecting(subject, code: result, hint: hint)
    }
    connection = opened
    self.address = Self.location(of: opened) ?? address
    isSeekable = opened.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0
    let size = avio_size(opened)
    byteCount = size > 0 ? size : nil
  }

  deinit { avio_closep(&connection) }

  func read(_ bytes: UnsafeMutableRawBufferPointer) -> Int32 {
    guard let start = bytes.baseAddress, failure == nil else { return kite_error_io }
    while true {
      if guardian.interrupt.isSet { return kite_error_exit }
      guard let connection else {
        guard reconnect() else { return guardian.interrupt.isSet ? kite_error_exit : kite_error_io }
        continue
      }
      let result = avio_read_partial(
        connection, start.assumingMemoryBound(to: UInt8.self), Int32(clamping: bytes.count))
      if result > 0 {
        if position == 0 { head = Array(bytes.prefix(min(Int(result), 8))) }
        position += Int64(result)
        reconnection.succeeded()
        guardian.restart()
        return result
      }
      if guardian.interrupt.isSet { return kite_error_exit }
      if result == 0 || result == kite_error_eof, byteCount.map({ position >= $0 }) ?? true {
        return kite_error_eof
      }
      avio_closep(&self.connection)
      guard pause(after: .passing, code: result) else {
        return failure == nil ? kite_error_exit : kite_error_io
      }
    }
  }

  func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    let target: Int64
    switch whence {
    case kite_seek_size: return byteCount ?? Int64(kite_error_no_size)
    case SEEK_SET: target = offset
    case SEEK_CUR: target = position + offset
    case SEEK_END:
      guard let byteCount else { return Int64(kite_error_seek) }
      target = byteCount + offset
    default: return Int64(kite_error_invalid)
    }
    guard target != position else { return position }
    guard isSeekable, failure == nil else { return Int64(kite_error_seek) }
    guard target >= 0, byteCount.map({ target <= $0 }) ?? true else { return Int64(kite_error_invalid) }
    position = target
    // What is near comes over the same connection; else reading makes another one.
    if let connection, avio_seek(connection, target, SEEK_SET) != target { avio_closep(&self.connection) }
    return target
  }

  // MARK: Connections

  /// Connects anew at the position. False when that is over, with `failure` or the interrupt set.
  private func reconnect() -> Bool {
    let (result, opened, hint) = Self.connect(
      address, at: position, guardian: guardian, options: options)
    if let opened {
      connection = opened
      return true
    }
    if guardian.interrupt.isSet { return false }
    return pause(after: Self.cause(of: result), code: result, hint: hint)
  }

  /// Waits as long as is to be waited before the next connection. False when there is to be none.
  private func pause(after cause: Reconnection.Cause, code: Int32, hint: String? = nil) -> Bool {
    if position > 0, !isSeekable {
      failure = MediaError(
        kind: .unreachable, subject: subject,
        reason: "broke off after \(position) bytes, and its server can't go on from there",
        advice: "Try again, or download it first.")
      return false
    }
    guard !guardian.isExpired, let pause = reconnection.failed(cause) else {
      failure =
        cause == .refusal || code != kite_error_timed_out && code != kite_error_exit
        ? MediaError.connecting(subject, code: code, hint: hint)
        : MediaError.silentServer(subject, patience: options.networkTimeout)
      return false
    }
    KiteLog.log(
      .warning, .source, subject,
      "connects again at byte \(position), for the \(reconnection.tries). time: \(MediaError.text(of: code))")
    let end = MonotonicTime.now + pause
    while MonotonicTime.now < end, !guardian.isOver {
      usleep(UInt32(min(Self.pollInterval, max(0, end - .now)) / 1000))
    }
    return !guardian.interrupt.isSet
  }

  private static func connect(
    _ address: String, at position: Int64, guardian: CallGuard, options: FFmpegBackend.Options,
    isFirst: Bool = false
  ) -> (code: Int32, context: UnsafeMutablePointer<AVIOContext>?, hint: String?) {
    var dictionary: OpaquePointer?
    defer { av_dict_free(&dictionary) }
    // The first connection has all of the time: nobody knows yet whether there is anything.
    NetworkOptions.set(&dictionary, options, isFirst: isFirst)
    if position > 0 { av_dict_set_int(&dictionary, "offset", position, 0) }
    var context: UnsafeMutablePointer<AVIOContext>?
    var callback = guardian.callback
    let (result, hint) = LogCollector.lastError {
      avio_open2(&context, address, AVIO_FLAG_READ, &callback, &dictionary)
    }
    return (result, result >= 0 ? context : nil, hint)
  }

  private static func cause(of code: Int32) -> Reconnection.Cause {
    switch code {
    case kite_error_http_not_found, kite_error_http_forbidden, kite_error_http_unauthorized,
      kite_error_http_bad_request, kite_error_http_other_4xx, kite_error_not_permitted:
      .refusal
    default: .passing
    }
  }

  /// The address that the server redirected to; nil: none.
  private static func location(of context: UnsafeMutablePointer<AVIOContext>) -> String? {
    var text: UnsafeMutablePointer<UInt8>?
    guard av_opt_get(context, "location", AV_OPT_SEARCH_CHILDREN, &text) >= 0, let text else { return nil }
    defer { av_free(text) }
    let location = String(cString: text)
    return location.isEmpty ? nil : location
  }
}
