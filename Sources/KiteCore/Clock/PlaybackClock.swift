import KiteSystem

/// The player's clock: which media time it is at which monotonic time. Holds its position while frozen.
struct PlaybackClock {
  private var media = MediaTime.zero
  /// When `media` was, or will be, the position; nil while frozen.
  private var anchor: MonotonicTime?
  /// Media seconds a second.
  private(set) var rate = 1.0

  var isRunning: Bool { anchor != nil }

  /// The media time at `now`; the held one while frozen. A clock that is to run later holds until then, unless `unclamped`.
  func position(at now: MonotonicTime, unclamped: Bool = false) -> MediaTime {
    guard let anchor, unclamped || now > anchor else { return media }
    return media + MediaTime(nanoseconds: scaled(now - anchor, by: rate))
  }

  /// When `time` is the position; nil while frozen. Saturates: a file may say anything.
  func time(of time: MediaTime) -> MonotonicTime? {
    anchor.map { $0.advanced(by: span(of: time - media)) }
  }

  /// How long a stretch of media takes, in nanoseconds.
  func span(of length: MediaTime) -> Int64 { scaled(length.nanoseconds, by: 1 / rate) }

  /// Runs on from the held position, as if the time that it was held had not been. Running already: nothing.
  mutating func start(at now: MonotonicTime) {
    if anchor == nil { anchor = now }
  }

  /// Holds the position of `now`. Frozen already: nothing.
  mutating func freeze(at now: MonotonicTime) {
    media = position(at: now)
    anchor = nil
  }

  /// Makes `position` the position at `time`; running or frozen as before.
  mutating func set(_ position: MediaTime, at time: MonotonicTime) {
    media = position
    if anchor != nil { anchor = time }
  }

  /// Changes the rate without a jump of the position. Rates that are not positive and finite are ignored.
  mutating func setRate(_ newRate: Double, at now: MonotonicTime) {
    guard newRate > 0, newRate.isFinite else { return }
    set(position(at: now, unclamped: true), at: now)
    rate = newRate
  }

  private func scaled(_ nanoseconds: Int64, by factor: Double) -> Int64 {
    // Exact at the usual rate: a double holds only 104 days of nanoseconds.
    if factor == 1 { return nanoseconds }
    return MediaTime(seconds: Double(nanoseconds) / 1e9 * factor).nanoseconds
  }
}

extension MonotonicTime {
  /// The point `nanoseconds` later, kept between the distant past and the distant future.
  func advanced(by nanoseconds: Int64) -> MonotonicTime {
    let (sum, overflow) = self.nanoseconds.addingReportingOverflow(nanoseconds)
    if overflow { return nanoseconds < 0 ? .distantPast : .distantFuture }
    return min(max(MonotonicTime(nanoseconds: sum), .distantPast), .distantFuture)
  }
}
