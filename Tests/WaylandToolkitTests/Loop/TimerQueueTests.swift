import KiteSystem
import Testing

@testable import WaylandToolkit

@Suite struct TimerQueueTests {
  private func at(_ time: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: time) }

  private func due(_ queue: inout TimerQueue, at time: Int64) -> [UInt64] {
    var ids: [UInt64] = []
    while let id = queue.popDue(at: at(time)) { ids.append(id) }
    return ids
  }

  @Test func timersComeByTimeAndThenByAge() {
    var queue = TimerQueue()
    for (id, time) in [(1, 30), (2, 10), (3, 10), (4, 20)] as [(UInt64, Int64)] {
      queue.set(id, at: at(time))
    }
    #expect(queue.deadline == at(10))
    #expect(due(&queue, at: 25) == [2, 3, 4])
    #expect(queue.deadline == at(30))
    #expect(due(&queue, at: 30) == [1])
    #expect(queue.deadline == nil)
  }

  @Test func nothingIsDueBeforeItsTime() {
    var queue = TimerQueue()
    queue.set(1, at: at(10))
    #expect(due(&queue, at: 9) == [])
    #expect(queue.deadline == at(10))
  }

  @Test func aCancelledTimerNeverComes() {
    var queue = TimerQueue()
    queue.set(1, at: at(10))
    queue.set(2, at: at(20))
    queue.cancel(1)
    queue.cancel(9)
    #expect(queue.deadline == at(20))
    #expect(due(&queue, at: 99) == [2])
  }
}
