import KiteSystem
import Testing

@Suite struct LockedTests {
  @Test func oneAtATime() async {
    let total = Shared()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { for _ in 0..<1000 { total.count.withLock { $0["n", default: 0] += 1 } } }
      }
    }
    #expect(total.count.withLock { $0["n"] } == 4000)
  }

  @Test func anErrorLeavesItUnlocked() {
    let value = Locked(1)
    #expect(throws: SystemError.self) {
      try value.withLock { value throws(SystemError) in
        value = 2
        throw SystemError(call: "test", subject: "test", code: 1)
      }
    }
    #expect(value.withLock { $0 } == 2)
  }

  private final class Shared: Sendable {
    let count = Locked<[String: Int]>([:])
  }
}
