import Glibc
import KiteSystem
import Testing

@Suite struct TimeTests {
  @Test func theClockNeverGoesBack() {
    var last = MonotonicTime.now
    for _ in 0..<1000 {
      let now = MonotonicTime.now
      #expect(now >= last)
      last = now
    }
  }

  @Test func pointsAndSpansAddUp() {
    let time = MonotonicTime(nanoseconds: 100)
    #expect((time + 50) - time == 50)
    #expect(time - 150 == MonotonicTime(nanoseconds: -50))
    #expect(MonotonicTime.distantPast < time && time < .distantFuture)
    // The whole range between the two fits a span.
    #expect(MonotonicTime.distantFuture - .distantPast > 0)
  }

  @Test func aTimerIsReadableFromItsTimeOn() throws {
    let timer = try TimerDescriptor()
    #expect(!isReadable(timer.descriptor))
    let time = MonotonicTime.now + 5_000_000
    timer.arm(at: time)
    #expect(isReadable(timer.descriptor, timeout: 5000))
    #expect(MonotonicTime.now >= time)
    timer.acknowledge()
    #expect(!isReadable(timer.descriptor))
  }

  @Test(arguments: [MonotonicTime.distantPast, MonotonicTime(nanoseconds: 0), MonotonicTime(nanoseconds: 1)])
  func aTimePastFiresAtOnce(time: MonotonicTime) throws {
    let timer = try TimerDescriptor()
    timer.arm(at: time)
    #expect(isReadable(timer.descriptor, timeout: 1000))
  }

  @Test func disarmingHoldsItBack() throws {
    let timer = try TimerDescriptor()
    timer.arm(at: .now + 3_000_000)
    timer.arm(at: nil)
    #expect(!isReadable(timer.descriptor, timeout: 20))
    timer.arm(at: .distantFuture)
    #expect(!isReadable(timer.descriptor, timeout: 5))
    timer.arm(at: .now)
    #expect(isReadable(timer.descriptor, timeout: 1000))
  }
}
