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
