import CFFmpeg
import KiteCore

/// Between a stream's timestamps and media time, whose zero is where the container starts.
struct StreamClock: Sendable {
  /// The stream's time base.
  let timeBase: AVRational
  /// Nanoseconds of the stream's own time at which the media starts.
  let origin: MediaTime

  /// Media time of a timestamp; nil for none, and for one beyond all sense.
  func time(_ timestamp: Int64) -> MediaTime? {
    Self.nanoseconds(timestamp, timeBase).map { MediaTime(nanoseconds: $0) - origin }
  }

  /// A span in media time; zero when the stream doesn't say.
  func span(_ duration: Int64) -> MediaTime {
    guard duration > 0, let value = Self.nanoseconds(duration, timeBase) else { return .zero }
    return MediaTime(nanoseconds: value)
  }

  /// The timestamp of a media time.
  func timestamp(_ time: MediaTime) -> Int64 {
    let nanoseconds = (time + origin).nanoseconds
    guard timeBase.num > 0, timeBase.den > 0 else { return nanoseconds }
    return av_rescale_q(nanoseconds, AVRational(num: 1, den: 1_000_000_000), timeBase)
  }

  /// `timestamp` of `timeBase` in nanoseconds, to the nearest; nil for none and for overflow.
  static func nanoseconds(_ timestamp: Int64, _ timeBase: AVRational) -> Int64? {
    guard timestamp != kite_no_pts, timeBase.num > 0, timeBase.den > 0 else { return nil }
    let value = av_rescale_q(timestamp, timeBase, AVRational(num: 1, den: 1_000_000_000))
    return value == .min ? nil : value
  }
}
