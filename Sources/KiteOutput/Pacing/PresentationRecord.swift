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
  private var last: (intent: FrameIntent, time: MonotonicTime)?

  /// A frame was on the screen at `time`. `period`: nanoseconds of a refresh; nil while vblanks aren't known.
  mutating func presented(_ intent: FrameIntent, at time: MonotonicTime, period: Double?) {
    if latencies.isEmpty { latencies = Array(repeating: 0, count: Self.steps) }
    let bucket = (time - intent.commit) / Self.step
    latencies[Int(min(max(0, bucket), Int64(Self.steps - 1)))] += 1
    count += 1
    if let last, time > last.time { note(intent, after: last, at: time, period: period) }
    last = (intent, time)
  }

  private mutating func note(
    _ intent: FrameIntent, after last: (intent: FrameIntent, time: MonotonicTime), at time: MonotonicTime,
    period: Double?
  ) {
    let interval = Double(time - last.time)
    // Longer than that the film stood still: a pause, a seek, a window that nobody saw.
    guard interval < 1e9 else { return }
    var intended = Double(intent.target - last.intent.target)
    if let period, let aim = intent.aim, let former = last.intent.aim, aim.epoch == former.epoch {
      let stay = Int((interval / period).rounded())
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
      cadence: stays.map { "\($0)" }.joined(separator: ":"))
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
