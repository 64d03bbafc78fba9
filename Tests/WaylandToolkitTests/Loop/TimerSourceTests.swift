import KiteSystem
import Testing
import WaylandToolkit

@Suite struct TimerSourceTests {
  @Test func actionsRunInTheirOrderAndOnce() throws {
    let loop = PollLoop()
    let timers = try TimerSource()
    loop.add(timers)
    var seen: [Int] = []
    let now = MonotonicTime.now
    timers.set(at: now + 2_000_000) { seen.append(2) }
    timers.set(at: now + 1_000_000) { seen.append(1) }
    let cancelled = timers.set(at: now) { seen.append(9) }
    timers.cancel(cancelled)
    while seen.count < 2 { loop.turn(timeout: 1_000_000_000) }
    #expect(seen == [1, 2])
    #expect(!loop.turn(timeout: 5_000_000))
  }

  @Test func anActionMayCancelAnotherThatIsDueToo() throws {
    let loop = PollLoop()
    let timers = try TimerSource()
    loop.add(timers)
    var seen: [Int] = []
    var second: TimerSource.Token?
    let now = MonotonicTime.now
    timers.set(at: now) {
      seen.append(1)
      if let second { timers.cancel(second) }
    }
    second = timers.set(at: now) { seen.append(2) }
    loop.turn(timeout: 1_000_000_000)
    #expect(seen == [1])
  }

  @Test func aTimerSetForNowByAnActionWaitsForTheNextTurn() throws {
    let loop = PollLoop()
    let timers = try TimerSource()
    loop.add(timers)
    var count = 0
    var last: TimerSource.Token?
    func again() {
      count += 1
      last = timers.set(at: .distantPast) { again() }
    }
    timers.set(at: .now) { again() }
    loop.turn(timeout: 1_000_000_000)
    #expect(count == 1)
    loop.turn(timeout: 1_000_000_000)
    #expect(count == 2)
    if let last { timers.cancel(last) }
  }
}
