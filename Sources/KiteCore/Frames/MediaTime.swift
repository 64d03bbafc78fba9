/// A point or a span of media time, in nanoseconds: presentation times, durations, positions.
public struct MediaTime: Hashable, Comparable, Sendable {
  /// Nanoseconds; a time base of 1/1,000,000,000.
  public var nanoseconds: Int64

  /// A time of `nanoseconds`.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// A time of `seconds`, rounded to the nanosecond; what does not fit (and NaN) becomes the nearest bound or zero.
  public init(seconds: Double) {
    let scaled = (seconds * 1e9).rounded()
    nanoseconds = scaled.isNaN ? 0 : Int64(exactly: scaled) ?? (scaled < 0 ? .min : .max)
  }

  /// The time in seconds.
  public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// No time at all: the start of the media.
  public static let zero = MediaTime(nanoseconds: 0)
  /// What a decoder says of a frame whose time nobody knows: it is shown one duration after the frame before.
  public static let unknown = MediaTime(nanoseconds: .min)

  public static func < (a: MediaTime, b: MediaTime) -> Bool { a.nanoseconds < b.nanoseconds }

  /// The sum; saturates instead of trapping, since both may come from a hostile file.
  public static func + (a: MediaTime, b: MediaTime) -> MediaTime {
    let (sum, overflow) = a.nanoseconds.addingReportingOverflow(b.nanoseconds)
    return MediaTime(nanoseconds: overflow ? (b.nanoseconds < 0 ? .min : .max) : sum)
  }

  /// The difference; saturates instead of trapping.
  public static func - (a: MediaTime, b: MediaTime) -> MediaTime {
    let (difference, overflow) = a.nanoseconds.subtractingReportingOverflow(b.nanoseconds)
    return MediaTime(nanoseconds: overflow ? (b.nanoseconds > 0 ? .min : .max) : difference)
  }
}
