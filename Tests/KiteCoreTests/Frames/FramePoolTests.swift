import KiteCore
import KiteSystem
import Testing

@Suite struct FramePoolTests {
  @Test func lendsNoMoreThanItsLimit() throws {
    let pool = FramePool(limit: 2)
    var slots = [try pool.lend(byteCount: 100), try pool.lend(byteCount: 100)]
    #expect(slots.allSatisfy { $0 != nil })
    #expect(try pool.lend(byteCount: 100) == nil)
    slots.removeLast()
    #expect(pool.slotsOnLoan == 1)
    #expect(try pool.lend(byteCount: 100) != nil)
  }

  @Test func memoryComesAgain() throws {
    let pool = FramePool(limit: 2)
    let first = try pool.lend(byteCount: 5000)?.memory.id
    let second = try pool.lend(byteCount: 5000)?.memory.id
    #expect(first == second)
  }

  @Test func memoryOfAnotherSizeIsLetGo() throws {
    let pool = FramePool(limit: 4)
    weak var small: SharedMemory?
    var slot = try pool.lend(byteCount: 4096)
    small = slot?.memory
    let large = try pool.lend(byteCount: 8192)
    #expect(large?.memory.byteCount == 8192)
    slot = nil
    #expect(small == nil)
    #expect(pool.slotsOnLoan == 1)
  }

  @Test func memoryOfAKindThatIsNoLongerWishedForIsLetGo() throws {
    let pool = FramePool(limit: 4)
    weak var old: SharedMemory?
    var slot = try pool.lend(byteCount: 4096)
    old = slot?.memory
    pool.wish = FrameMemoryWish(backing: .dmaHeap)
    slot = nil
    #expect(old == nil)
    // Where there is no such heap, other memory is better than none.
    slot = try pool.lend(byteCount: 4096)
    #expect(slot != nil && pool.slotsOnLoan == 1)
  }

  @Test func memoryLentOutlivesThePool() throws {
    var pool: FramePool? = FramePool(limit: 1)
    weak let weakPool = pool
    var slot = try pool?.lend(byteCount: 4096)
    pool = nil
    slot?.memory.baseAddress.storeBytes(of: 1, as: UInt8.self)
    slot = nil
    #expect(weakPool == nil)
    #expect(slot == nil)
  }

  @Test func whatTheKernelRefusesDoesNotCount() {
    let pool = FramePool(limit: 1)
    for _ in 0..<3 { #expect(throws: SystemError.self) { try pool.lend(byteCount: .max) } }
    #expect(pool.slotsOnLoan == 0)
  }

  @Test func manyThreadsStayWithinTheLimit() async {
    let pool = FramePool(limit: 3)
    let most = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          var most = 0
          for _ in 0..<200 {
            let slot = try? pool.lend(byteCount: 4096)
            most = max(most, pool.slotsOnLoan)
            withExtendedLifetime(slot) {}
          }
          return most
        }
      }
      return await group.reduce(0, max)
    }
    #expect(most <= 3)
    #expect(pool.slotsOnLoan == 0)
  }
}
