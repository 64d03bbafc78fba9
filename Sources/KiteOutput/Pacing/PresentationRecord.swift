import KiteSystem
import KiteViews

/// What a committed frame was meant for.
struct FrameIntent {
  let aim: FramePacer.Aim?
  let target: MonotonicTime
  /// When it was committed.
  let commit: MonotonicTime
}

/// How frames came to the screen, as the compositor's answers tell: counts, a histogram, sums. No list grows.
struct PresentationRecord {
  /// Nanoseconds of a step of the histogram: the 99th percentile is not known better.
  private static let step: Int64 = 100_000
  /// 204.8 ms; what takes longer counts as that.
  private static let steps = 2048
  /// Stays that the cadence shows.
  private static let shownStays = 12

  private var latencies: [UInt32] = []
  private var count: UInt32 = 0
  private var squares = 0.0
  private var intervals = 0
  private var repeated = 0
  private var stays: [Int] = []
  private var isSequenced = false
  private var last: Shown?

  private struct Shown {
    let intent: FrameIntent
    let time: MonotonicTime
    let sequence: UInt64?
  }

  /// A frame was on the screen at `time`.
  ///
  /// - Parameters:
  ///   - sequence: the output's own number of that vblank; nil where it counts none.
  ///   - period: nanoseconds of a refresh; nil while vblanks aren't known.
  mutating func presented(
    _ intent: FrameIntent, at time: MonotonicTime, sequence: UInt64?, period: Double?
  ) {
    if latencies.isEmpty { latencies = Array(repeating: 0, count: Self.steps) }
    let bucket = (time - intent.commit) / Self.step
    latencies[Int(min(max(0, bucket), Int64(Self.steps - 1)))] += 1
    count += 1
    let shown = Shown(intent: intent, time: time, sequence: sequence)
    if let last, time > last.time { note(shown, after: last, period: period) }
    last = shown
  }

  private mutating func note(_ shown: Shown, after last: Shown, period: Double?) {
    let intent = shown.intent
    let interval = Double(shown.time - last.time)
    // Longer than that the film stood still: a pause, a seek, a window that nobody saw.
    guard interval < 1e9 else { return }
    var intended = Double(intent.target - last.intent.target)
    if let period, let aim = intent.aim, let former = last.intent.aim, aim.epoch == former.epoch {
      // The output knows better than any clock how many vblanks there were.
      let counted = shown.sequence.flatMap { later in
        last.sequence.flatMap { later > $0 && later - $0 < 1000 ? Int(later - $0) : nil }
      }
      isSequenced = counted != nil
      let stay = counted ?? Int((interval / period).rounded())
      let meant = aim.vblank - former.vblank
      intended = meant * period
      repeated += max(0, stay - Int(meant))
      if stays.count == Self.shownStays { stays.removeFirst() }
      stays.append(stay)
    } else {
      stays.removeAll()
    }
    guard intended > 0 else { return }
    squares += (interval - intended) * (interval - intended)
    intervals += 1
  }

  /// The numbers of all frames so far.
  var report: RendererDiagnostics.PaceReport {
    RendererDiagnostics.PaceReport(
      repeatedVblanks: repeated, medianLatency: latency(at: 0.5), longLatency: latency(at: 0.99),
      jitter: intervals > 0 ? Int64((squares / Double(intervals)).squareRoot()) : 0,
      cadence: stays.map { "\($0)" }.joined(separator: ":"), isCountedByOutput: isSequenced)
  }

  /// What so large a part of the frames took at the most, in nanoseconds.
  private func latency(at part: Double) -> Int64 {
    let wanted = UInt32((Double(count) * part).rounded(.up))
    var sum: UInt32 = 0
    for (index, number) in latencies.enumerated() {
      sum += number
      // The middle of the step.
      if sum >= max(1, wanted) { return Int64(index) * Self.step + Self.step / 2 }
    }
    return 0
  }
}
