import KiteSystem
import KiteViews
import Testing

@testable import KiteOutput

@Suite struct PresentationRecordTests {
  private static let period: Int64 = 20_000_000

  /// Frames that were aimed at `aims` and shown at `vblanks`, each committed `latency` ns before and shown `noise` ns off.
  private func record(
    aims: [Int], vblanks: [Int], latency: (Int) -> Int64 = { _ in 5_000_000 },
    noise: (Int) -> Int64 = { _ in 0 }, sequence: (Int) -> UInt64? = { _ in nil }
  ) -> PresentationRecord {
    var record = PresentationRecord()
    for (index, (aim, vblank)) in zip(aims, vblanks).enumerated() {
      let time = MonotonicTime(nanoseconds: Int64(vblank) * Self.period + noise(index))
      let intent = FrameIntent(
        aim: FramePacer.Aim(vblank: Double(aim), epoch: 1),
        target: MonotonicTime(nanoseconds: Int64(aim) * Self.period), commit: time - latency(index))
      record.presented(intent, at: time, sequence: sequence(vblank), period: Double(Self.period))
    }
    return record
  }

  @Test func framesAtTheirVblanksHaveNoJitter() {
    let aims = [0, 3, 5, 8, 10]
    let report = record(aims: aims, vblanks: aims).report
    #expect(report.jitter == 0 && report.repeatedVblanks == 0)
    #expect(report.cadence == "3:2:3:2")
    #expect(report.medianLatency == 5_050_000 && report.longLatency == 5_050_000)
  }

  @Test func aFrameThatComesLateRepeatsTheOneBefore() {
    let report = record(aims: [0, 2, 4, 6], vblanks: [0, 2, 5, 6]).report
    #expect(report.repeatedVblanks == 1 && report.cadence == "2:3:1")
    // Two intervals of three are a vblank off.
    let expected = (2.0 / 3).squareRoot() * Double(Self.period)
    #expect(abs(Double(report.jitter) - expected) < 1000)
  }

  @Test func jitterIsWhatIntervalsAreOff() {
    let aims = Array(stride(from: 0, to: 200, by: 2))
    let report = record(aims: aims, vblanks: aims, noise: { $0 % 2 == 0 ? 50_000 : -50_000 }).report
    #expect(report.jitter == 100_000 && report.repeatedVblanks == 0)
  }

  /// Times that are read late, by more than half a refresh, and the kernel's numbers, which are right.
  @Test func whereTheOutputCountsVblanksItsCountHolds() {
    let aims = [0, 3, 5, 8, 10]
    let late: (Int) -> Int64 = { $0 == 2 ? 12_000_000 : 0 }
    let told = record(aims: aims, vblanks: aims, noise: late).report
    let counted = record(aims: aims, vblanks: aims, noise: late, sequence: { UInt64(100 + $0) }).report
    #expect(told.cadence == "3:3:2:2" && told.repeatedVblanks == 1 && !told.isCountedByOutput)
    #expect(counted.cadence == "3:2:3:2" && counted.repeatedVblanks == 0 && counted.isCountedByOutput)
  }

  @Test func percentilesAreThoseOfAllFrames() {
    let aims = Array(0..<200)
    let report = record(aims: aims, vblanks: aims, latency: { $0 < 190 ? 2_000_000 : 40_000_000 }).report
    #expect(report.medianLatency == 2_050_000 && report.longLatency == 40_050_000)
  }

  @Test func aPauseIsNoJitterAndNothingIsNothing() {
    let report = record(aims: [0, 2, 102, 104], vblanks: [0, 2, 152, 154]).report
    #expect(report.jitter == 0 && report.repeatedVblanks == 0)
    #expect(PresentationRecord().report == .init())
  }
}
