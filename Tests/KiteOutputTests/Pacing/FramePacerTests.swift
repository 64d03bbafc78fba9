import KiteSystem
import Testing

@testable import KiteOutput

/// A film, a presenter that wakes late, and a compositor that takes the newest commit 7 ms before each vblank, or two fifths
/// of a refresh where that is less.
@Suite struct FramePacerTests {
  private struct Film: Sendable {
    var rate: Double
    var hertz: Double
    /// How late the presenter wakes at the most, in nanoseconds.
    var delay: Int64
    var seconds = CadenceTests.seconds
  }

  private struct Outcome {
    var tally = FramePacer.Tally()
    /// Frames that were replaced before they were seen.
    var replaced = 0
    /// Vblanks that each frame stayed, after the clock was known.
    var stays: [Int] = []
  }

  private func play(_ film: Film, lead: Int64 = 20_000_000) -> Outcome {
    var pacer = FramePacer()
    var generator = Generator(state: 11)
    var outcome = Outcome()
    let period = 1e9 / film.hertz
    // One that takes commits before a presenter can have woken for them makes every frame late.
    let room = Int64(period) - FramePacer.settling - film.delay - 100_000
    let latch = min(7_000_000, Int64(period * 0.4), room)
    let start: Int64 = 3_456_789
    func vblank(_ index: Int64) -> MonotonicTime {
      MonotonicTime(nanoseconds: start + Int64(Double(index) * period))
    }
    var last: (vblank: Int64, aim: FramePacer.Aim?)?
    var waiting: (vblank: Int64, aim: FramePacer.Aim?)?
    for index in 0..<Int(film.rate * film.seconds) {
      let target = MonotonicTime(nanoseconds: 1_000_000_000 + Int64(Double(index) * 1e9 / film.rate))
      // What was shown before this frame arrives is known by then.
      let arrival = target - lead
      if let shown = waiting, vblank(shown.vblank) <= arrival {
        pacer.presented(at: vblank(shown.vblank), refresh: Int64(period), aim: shown.aim)
        if let last, last.aim != nil { outcome.stays.append(Int(shown.vblank - last.vblank)) }
        last = shown
        waiting = nil
      }
      let aim = pacer.aim(target: target, duration: Int64(1e9 / film.rate))
      let opening = max(arrival, pacer.opening(for: target, aim: aim))
      let commit = opening + (film.delay > 0 ? Int64.random(in: 0...film.delay, using: &generator) : 0)
      let slot = Int64((Double(commit.nanoseconds + latch - start) / period).rounded(.up))
      if let shown = waiting {
        if slot == shown.vblank {
          outcome.replaced += 1
        } else {
          pacer.presented(at: vblank(shown.vblank), refresh: Int64(period), aim: shown.aim)
          if let last, last.aim != nil { outcome.stays.append(Int(shown.vblank - last.vblank)) }
          last = shown
        }
      }
      waiting = (slot, aim)
    }
    outcome.tally = pacer.tally
    return outcome
  }

  @Test(
    arguments: [24000.0 / 1001, 24, 25, 30000.0 / 1001, 30, 50, 60], [0, 1_000_000, 4_000_000] as [Int64])
  func everyFrameIsShownAtItsVblank(_ rate: Double, delay: Int64) {
    let outcome = play(Film(rate: rate, hertz: 60, delay: delay))
    let frames = Int(rate * CadenceTests.seconds)
    #expect(outcome.tally.onTime >= frames - 20, "\(outcome.tally)")
    #expect(outcome.tally.oneLate == 0 && outcome.tally.moreLate == 0 && outcome.tally.early == 0)
    #expect(outcome.replaced <= 1, "only before the vblanks are known")
  }

  @Test(arguments: [50.0, 59.94, 75, 120, 144])
  func onEveryOutput(_ hertz: Double) {
    for rate in [24.0, 25, 30] {
      let outcome = play(Film(rate: rate, hertz: hertz, delay: 500_000))
      #expect(
        outcome.tally.onTime >= Int(rate * CadenceTests.seconds) - 20, "\(rate) on \(hertz): \(outcome.tally)"
      )
      #expect(outcome.tally.oneLate + outcome.tally.moreLate + outcome.tally.early == 0, "\(outcome.tally)")
    }
  }

  @Test(arguments: CadenceTests.pairs, CadenceTests.delays)
  func everyPairHasTheSteadiestPattern(_ pair: CadenceTests.Pair, delay: Int64) {
    let outcome = play(Film(rate: pair.film, hertz: pair.output, delay: delay))
    #expect(outcome.tally.onTime >= Int(pair.film * CadenceTests.seconds) - 30, "\(outcome.tally)")
    #expect(outcome.tally.oneLate + outcome.tally.moreLate + outcome.tally.early == 0, "\(outcome.tally)")
    let breaks = pair.breaks(in: outcome.stays)
    #expect(
      breaks <= (pair.slips + 1) * 2 * pair.pattern.count && (pair.slips > 0 || breaks == 0), "\(breaks)")
  }

  @Test func threeTwoAlternatesStrictly() {
    let stays = play(Film(rate: 24, hertz: 60, delay: 1_000_000, seconds: 600)).stays
    #expect(stays.count > 14_000)
    #expect(zip(stays, stays.dropFirst()).allSatisfy { $0 + $1 == 5 })
  }

  @Test func withoutVblanksAFrameGoesOutAtItsTime() {
    var pacer = FramePacer()
    let target = MonotonicTime(nanoseconds: 1_000_000_000)
    let aim = pacer.aim(target: target, duration: 40_000_000)
    #expect(aim == nil)
    #expect(pacer.opening(for: target, aim: aim) == target)
  }

  @Test func anAimIsForgottenWhenVblanksAreCountedAnew() throws {
    var pacer = FramePacer()
    for index in 0..<20 {
      pacer.presented(
        at: MonotonicTime(nanoseconds: Int64(index) * 20_000_000), refresh: 20_000_000, aim: nil)
    }
    let target = MonotonicTime(nanoseconds: 507_000_000)
    let found = pacer.aim(target: target, duration: 40_000_000)
    let aim = try #require(found)
    // The vblank after it is at 520; the one before that at 500.
    #expect(
      pacer.opening(for: target, aim: aim) == MonotonicTime(nanoseconds: 500_000_000 + FramePacer.settling))
    pacer.presented(at: MonotonicTime(nanoseconds: 400_000_000), refresh: 8_333_333, aim: nil)
    #expect(pacer.opening(for: target, aim: aim) == target)
  }
}
