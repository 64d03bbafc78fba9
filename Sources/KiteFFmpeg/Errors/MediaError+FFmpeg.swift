import CFFmpeg
import Glibc
import KiteCore

extension MediaError {
  /// The error of an FFmpeg call that opened or read `subject`.
  ///
  /// - Parameter hint: The log's own words, which name the cause better than the code where a known phrase is in them.
  static func reading(_ subject: String, code: Int32, hint: String? = nil) -> MediaError {
    switch code {
    case kite_error_exit:
      return cancelled(subject)
    case kite_error_no_entry, kite_error_http_not_found:
      return MediaError(
        kind: .notFound, subject: subject, reason: "does not exist", advice: "Check the spelling.")
    case kite_error_no_access, kite_error_not_permitted, kite_error_http_forbidden,
      kite_error_http_unauthorized:
      return MediaError(
        kind: .notPermitted, subject: subject, reason: "may not be read by this user",
        advice: "Check its permissions.")
    case kite_error_no_memory:
      return MediaError(
        kind: .resources, subject: subject, reason: "needs more memory than there is",
        advice: "Close other programs and try again.")
    case kite_error_no_protocol:
      return MediaError(
        kind: .unsupported, subject: subject, reason: "is an address of a kind that this FFmpeg can't reach",
        advice: "Give a file or an http, https or rtsp address.")
    case kite_error_invalid_data, kite_error_no_demuxer, kite_error_eof, kite_error_invalid:
      if let hint, contains(hint, "moov atom not found") {
        return MediaError(
          kind: .notMedia, subject: subject, reason: "is incomplete: the index of the file is missing",
          advice: "Copy or download it again.")
      }
      return notMedia(subject)
    default:
      return MediaError(
        kind: .unreadable, subject: subject, reason: "can't be read: \(text(of: code))",
        advice: "Check the disk or the network, and try again.")
    }
  }

  /// The error of reaching a server.
  static func connecting(_ subject: String, code: Int32, hint: String? = nil) -> MediaError {
    switch code {
    case kite_error_http_not_found:
      return MediaError(
        kind: .notFound, subject: subject, reason: "does not exist on its server (404)",
        advice: "Check the address.")
    case kite_error_http_forbidden, kite_error_http_unauthorized:
      return MediaError(
        kind: .notPermitted, subject: subject, reason: "is refused by its server",
        advice: "Check that you are allowed to see it, and the address.")
    case kite_error_http_bad_request, kite_error_http_other_4xx, kite_error_not_permitted:
      return MediaError(
        kind: .unreadable, subject: subject, reason: "is not given out by its server: \(text(of: code))",
        advice: "Check the address.")
    case kite_error_http_server:
      return MediaError(
        kind: .unreachable, subject: subject, reason: "can't be had: its server has a fault (5xx)",
        advice: "Try again later.")
    case kite_error_no_memory, kite_error_no_protocol, kite_error_exit:
      return reading(subject, code: code, hint: hint)
    case _ where hint.map { contains($0, "certificate") } ?? false:
      return MediaError(
        kind: .notTrusted, subject: subject,
        reason: "is on a server whose certificate this system doesn't trust",
        advice:
          "Check the address; if the server is known to be right, name the certificate of its authority.")
    case kite_error_io where hint == nil:
      // FFmpeg says no more than that when it was sent from one address to the next too often.
      return MediaError(
        kind: .unreachable, subject: subject,
        reason: "gives no answer: its server breaks off, or redirects without end",
        advice: "Check the address and the network.")
    default:
      return MediaError(
        kind: .unreachable, subject: subject, reason: "can't be reached: \(text(of: code))",
        advice: "Check the address and the network.")
    }
  }

  /// Nothing came for `patience`.
  static func silentServer(_ subject: String, patience: MediaTime) -> MediaError {
    MediaError(
      kind: .timedOut, subject: subject,
      reason: "got nothing from its server for \(patience.seconds.formattedSeconds)",
      advice: "Check the network, and try again.")
  }

  /// An index behind what it leads to, from a server that gives out the whole alone.
  static func withoutParts(_ subject: String) -> MediaError {
    MediaError(
      kind: .unreadable, subject: subject,
      reason: "has its index at its end, and its server gives out no parts of it",
      advice: "Download it first.")
  }

  /// The error of a system call on the file `subject`.
  static func system(_ subject: String, errno code: Int32) -> MediaError {
    switch code {
    case ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG: reading(subject, code: kite_error_no_entry)
    case EMFILE, ENFILE:
      MediaError(
        kind: .resources, subject: subject, reason: "can't be opened: this process has too many open files",
        advice: "Close other media first, or raise the limit with ulimit -n.")
    default: reading(subject, code: kite_error_from_errno(code))
    }
  }

  /// Bytes that no demuxer knows.
  static func notMedia(_ subject: String) -> MediaError {
    MediaError(
      kind: .notMedia, subject: subject, reason: "is not a media file that FFmpeg knows, or is damaged",
      advice: "Check that it is a video or audio file.")
  }

  /// `interrupt` was set.
  static func cancelled(_ subject: String) -> MediaError {
    MediaError(kind: .cancelled, subject: subject, reason: "was closed while it was being read")
  }

  /// FFmpeg's words for `code`.
  static func text(of code: Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
      guard let start = buffer.baseAddress else { return "error \(code)" }
      buffer.initialize(repeating: 0)
      guard av_strerror(code, start, buffer.count) == 0 else { return "error \(code)" }
      return String(cString: start)
    }
  }

  /// `String.contains` of a string is Foundation's.
  private static func contains(_ text: String, _ part: String) -> Bool {
    strstr(text, part) != nil
  }
}

extension Double {
  /// Seconds in words, with one digit behind the point where there is one.
  var formattedSeconds: String {
    let tenths = Int((min(max(self, 0), 1e9) * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
  }
}
