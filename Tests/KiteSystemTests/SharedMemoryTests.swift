import Glibc
import KiteSystem
import Testing

@Suite struct SharedMemoryTests {
  @Test(arguments: [(0, 1), (1, 1), (4096, 1), (4097, 2), (-5, 1)])
  func comesInWholePages(byteCount: Int, pages: Int) throws {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    guard page == 4096 else { return }
    #expect(try SharedMemory(byteCount: byteCount, name: "kite-test").byteCount == pages * page)
  }

  @Test func isZeroedAndWritable() throws {
    let memory = try SharedMemory(byteCount: 10_000, name: "kite-test")
    let bytes = UnsafeMutableRawBufferPointer(start: memory.baseAddress, count: memory.byteCount)
    #expect(bytes.allSatisfy { $0 == 0 })
    bytes[bytes.count - 1] = 9
    #expect(bytes[bytes.count - 1] == 9)
  }

  @Test func anotherMappingSeesTheSameBytes() throws {
    let memory = try SharedMemory(byteCount: 4096, name: "kite-test")
    let other = mmap(nil, 4096, PROT_READ, MAP_SHARED, memory.descriptor, 0)
    defer { munmap(other, 4096) }
    memory.baseAddress.storeBytes(of: 0xABCD_EF01, as: UInt32.self)
    #expect(other?.load(as: UInt32.self) == 0xABCD_EF01)
  }

  @Test func nobodyCanShrinkIt() throws {
    let memory = try SharedMemory(byteCount: 8192, name: "kite-test")
    #expect(ftruncate(memory.descriptor, 4096) == -1)
    #expect(errno == EPERM)
    // Nor take the seal away, nor add one that would keep us from writing.
    #expect(fcntl(memory.descriptor, 1024 + 9, 0x0008) == -1)
    #expect(fcntl(memory.descriptor, F_GETFD) & FD_CLOEXEC != 0)
  }

  @Test func everyOneHasANewNumber() throws {
    var seen: Set<UInt64> = []
    for _ in 0..<100 { seen.insert(try SharedMemory(byteCount: 1, name: "kite-test").id) }
    #expect(seen.count == 100)
  }

  @Test(arguments: [Int.max, Int.max - 4096, 1 << 62])
  func moreThanThereIsIsAnError(byteCount: Int) {
    let error = #expect(throws: SystemError.self) {
      try SharedMemory(byteCount: byteCount, name: "kite-test")
    }
    #expect(error != nil)
  }

  @Test func endsWithItsLastReference() throws {
    weak var memory: SharedMemory?
    do {
      let strong = try SharedMemory(byteCount: 1, name: "kite-test")
      memory = strong
      #expect(memory != nil)
    }
    #expect(memory == nil)
  }
}
