import KiteSystem
import Testing

@testable import KiteOutput

/// Feedback that is silent, late, out of order, of two outputs or of another one: no frame stalls, and where vblanks can be
/// known they are again.
@Suite struct PacingFaultTests {
  /// A film of 30 frames a second, each of which is told of by `answers`.
  private struct Film {
    var pacer = FramePacer()
    var period = 16_666_667.0
    var told: Int64
    var phase: Int64 = 3_000_000
    /// Frames that had no vblank to be aimed at.
    var unaimed = 0
    /// The longest way from a frame's time to its vblank, in nanoseconds.
    var longestWay: Int64 = 0
    private var next = 0
    private var answers: [(time: MonotonicTime, aim: FramePacer.Aim?)] = []

    init(told: Int64 = 16_666_667) { self.told = told }

    mutating func play(frames: Int, latency: Int = 0, swaps: Bool = false) {
      for _ in 0..<frames {
        let target = MonotonicTime(nanoseconds: 1_000_000_000 + Int64(Double(next) * 1e9 / 30))
        next += 1
        let aim = pacer.aim(target: target, duration: 33_333_333)
        if aim == nil { unaimed += 1 }
        // Taken by the first vblank that is 5 ms after the commit.
        let commit = max(target - 20_000_000, pacer.opening(for: target, aim: aim))
        let index = (Double(commit.nanoseconds + 5_000_000 - phase) / period).rounded(.up)
        let shown = MonotonicTime(nanoseconds: phase + Int64(index * period))
        longestWay = max(longestWay, abs(shown - target))
        answers.append((shown, aim))
        guard answers.count > latency else { continue }
        if swaps, answers.count >= 2 { answers.swapAt(0, 1) }
        let answer = answers.removeFirst()
        pacer.presented(at: answer.time, refresh: told, aim: answer.aim)
      }
    }
  }

  @Test func feedbackThatNeverComesLeavesFramesAtTheirTimes() {
    var film = Film()
    film.play(frames: 1000, latency: .max)
    #expect(film.unaimed == 1000 && film.longestWay < 25_000_000)
  }

  @Test func aRefreshOfZeroLeavesFramesAtTheirTimes() {
    var film = Film(told: 0)
    film.play(frames: 1000)
    #expect(film.unaimed == 1000 && film.longestWay < 25_000_000)
  }

  @Test(arguments: [(4, false), (0, true), (5, true)])
  func lateAndReorderedFeedbackIsLearnedFrom(latency: Int, swaps: Bool) {
    var film = Film()
    film.play(frames: 1000, latency: latency, swaps: swaps)
    // Of two that are swapped the earlier one tells nothing new.
    #expect(film.unaimed <= 2 * (VblankClock.confidence + latency) + 4, "\(film.unaimed)")
    #expect(film.pacer.tally.onTime >= 960, "\(film.pacer.tally)")
    #expect(film.pacer.tally.oneLate + film.pacer.tally.moreLate + film.pacer.tally.early == 0)
  }

  /// A window between two monitors whose answers take turns: neither's vblanks are the frames'.
  @Test func twoOutputsOfDifferentRefreshAreBothNotBelieved() {
    var film = Film()
    film.play(frames: 100)
    film.unaimed = 0
    for index in 0..<500 {
      film.told = index % 2 == 0 ? 16_666_667 : 6_944_444
      film.play(frames: 1)
    }
    #expect(film.unaimed >= 498 && film.longestWay < 25_000_000)
  }

  @Test(arguments: [6_944_444, 8_333_333, 20_000_000, 16_683_333] as [Int64])
  func anotherOutputIsLearnedWithinASecond(_ period: Int64) {
    var film = Film()
    film.play(frames: 100)
    let before = film.pacer.tally
    film.unaimed = 0
    film.period = Double(period)
    film.told = period
    film.phase = 9_000_000
    film.play(frames: 1000)
    #expect(film.unaimed <= 30, "\(film.unaimed)")
    let tally = film.pacer.tally
    #expect(tally.onTime - before.onTime >= 965, "\(tally)")
    // What was aimed at the former output's vblanks counts for nothing.
    #expect(tally.oneLate + tally.moreLate + tally.early <= 1, "\(tally)")
    #expect(film.longestWay < 45_000_000)
  }

  /// The phase jumps, as after a mode set or a sleep of the output, and the refresh stays.
  @Test func anotherPhaseIsLearned() {
    var film = Film()
    film.play(frames: 100)
    film.unaimed = 0
    film.phase += 7_000_000
    film.play(frames: 1000)
    #expect(film.unaimed <= 20, "\(film.unaimed)")
    #expect(film.pacer.tally.onTime >= 1040, "\(film.pacer.tally)")
  }
}
