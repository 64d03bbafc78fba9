import KiteSystem

/// Phase and period of an output's vblanks, learned from presentation feedback.
///
/// Feedback says when a frame was shown and how long a refresh takes. The second is nominal, or missing; the first has the
/// kernel's accuracy on a real output, and elsewhere is whatever a timer makes of it. So the period is measured between
/// frames, the nominal one only says how many refreshes lie between two of them, and nothing is predicted before a run of
/// samples has fitted.
struct VblankClock {
  /// Samples in a row that have to fit before the clock is believed: enough that a free-running timer does not pass for an
  /// output by chance (one that wanders over half a refresh does so in two of 10⁸), half a second at 24 frames a second.
  static let confidence = 12
  /// How far off a prediction a sample may be, as a part of the period: 1 ms at 60 Hz, many times what a vblank is off.
  static let tolerance = 0.06
  /// How far the measured period may be from the nominal one, as a part of it.
  private static let longestDrift = 0.02
  /// How much of a sample's deviation is taken over: the rest counts as noise.
  private static let gain = 0.125

  /// A vblank, and its number.
  private struct Anchor {
    var time: MonotonicTime
    var index: Double
  }

  private var anchor: Anchor?
  private var lastSample = MonotonicTime.distantPast
  private var nominal = 0.0
  private var measured = 0.0
  private var fitting = 0
  private var misses = 0
  /// Changes when vblanks are counted anew.
  private(set) var epoch = 0

  /// Nanoseconds from one vblank to the next; nil until the clock is believed.
  var period: Double? { fitting >= Self.confidence ? measured : nil }

  /// A frame was shown.
  ///
  /// - Parameters:
  ///   - time: when.
  ///   - refresh: nominal nanoseconds of a refresh; 0 where nobody knows, or it varies.
  mutating func presented(at time: MonotonicTime, refresh: Int64) {
    guard refresh > 0 else { return restart(at: nil, refresh: 0) }
    guard let anchor, Double(refresh) == nominal else { return restart(at: time, refresh: refresh) }
    // Feedback that comes out of order tells nothing new.
    guard time > lastSample else { return }
    lastSample = time
    let elapsed = Double(time - anchor.time)
    let count = (elapsed / measured).rounded()
    let error = elapsed - count * measured
    guard count >= 1, abs(error) <= Self.tolerance * measured else { return miss(at: time, refresh: refresh) }
    misses = 0
    fitting = min(fitting + 1, Self.confidence)
    let corrected = measured + error / count * Self.gain
    measured = min(max(corrected, nominal * (1 - Self.longestDrift)), nominal * (1 + Self.longestDrift))
    self.anchor = Anchor(time: time - Int64(error * (1 - Self.gain)), index: anchor.index + count)
  }

  /// Which vblank `time` is at, as a real number: 2.5 lies between two. Nil until the clock is believed.
  func position(of time: MonotonicTime) -> Double? {
    guard let period, let anchor else { return nil }
    return anchor.index + Double(time - anchor.time) / period
  }

  /// When vblank `index` is; nil until the clock is believed.
  func time(of index: Double) -> MonotonicTime? {
    guard let period, let anchor else { return nil }
    return anchor.time + Int64(((index - anchor.index) * period).rounded())
  }

  /// One frame may have been shown late within a refresh, or by another means; a second one in a row says that the phase
  /// is another.
  private mutating func miss(at time: MonotonicTime, refresh: Int64) {
    misses += 1
    if misses > 1 { restart(at: time, refresh: refresh) }
  }

  private mutating func restart(at time: MonotonicTime?, refresh: Int64) {
    anchor = time.map { Anchor(time: $0, index: 0) }
    lastSample = time ?? .distantPast
    nominal = Double(refresh)
    measured = nominal
    fitting = 0
    misses = 0
    epoch += 1
  }
}
