import KiteSystem
import Testing

@testable import KiteCore

@Suite struct PacketQueueTests {
  private static func packet(at pts: MediaTime?, _ byteCount: Int = 100) -> FakePacket {
    FakePacket(FakePicture(pts: pts, byteCount: byteCount))
  }

  @Test func fillsToTheBrimAndAgainWhenHalfIsGone() {
    var queue = PacketQueue(byteLimit: 1000)
    for _ in 0..<10 {
      let wantsMore = queue.wantsMore
      #expect(wantsMore)
      queue.append(Self.packet(at: nil))
    }
    var wantsMore = queue.wantsMore
    #expect(!wantsMore)
    for _ in 0..<4 { _ = queue.popFirst() }
    wantsMore = queue.wantsMore
    #expect(!wantsMore)
    _ = queue.popFirst()
    wantsMore = queue.wantsMore
    #expect(wantsMore)
  }

  @Test func onePacketLargerThanTheQueueGoesIn() {
    var queue = PacketQueue(byteLimit: 1000)
    queue.append(Self.packet(at: nil, 50_000))
    var (wantsMore, count) = (queue.wantsMore, queue.count)
    #expect(!wantsMore && count == 1)
    _ = queue.popFirst()
    (wantsMore, count) = (queue.wantsMore, queue.byteCount)
    #expect(wantsMore && count == 0)
  }

  @Test func countIsBoundedToo() {
    var queue = PacketQueue(byteLimit: .max)
    while queue.wantsMore { queue.append(Self.packet(at: nil, 0)) }
    let count = queue.count
    #expect(count == 256)
  }

  @Test func enoughIsHalfASecond() {
    var queue = PacketQueue(byteLimit: 1000)
    queue.append(Self.packet(at: .ms(100), 600))
    queue.append(Self.packet(at: .ms(599), 1))
    var isRefilled = queue.isRefilled
    #expect(!isRefilled)
    queue.append(Self.packet(at: .ms(600), 1))
    isRefilled = queue.isRefilled
    #expect(isRefilled)
    queue.removeAll()
    isRefilled = queue.isRefilled
    #expect(!isRefilled)
  }

  @Test func withoutTimesHalfTheBytesAreEnough() {
    var queue = PacketQueue(byteLimit: 1000)
    queue.append(Self.packet(at: nil, 499))
    var isRefilled = queue.isRefilled
    #expect(!isRefilled)
    queue.append(Self.packet(at: nil, 1))
    isRefilled = queue.isRefilled
    #expect(isRefilled)
  }

  @Test func mediaOfAHighRateMayTakeMoreBytes() {
    var queue = PacketQueue(byteLimit: 1000)
    // 500 bytes every 40 ms: half a second is 6,500.
    var count: Int64 = 0
    while queue.wantsMore {
      queue.append(Self.packet(at: .ms(40 * count), 500))
      count += 1
    }
    #expect(count == 14)
    // Filled again at a quarter of a second.
    while !queue.wantsMore {
      _ = queue.popFirst()
      count -= 1
    }
    #expect(count == 7)
    // 2,000 bytes every 40 ms: there is an end to it.
    queue.removeAll()
    count = 0
    while queue.wantsMore {
      queue.append(Self.packet(at: .ms(40 * count), 2000))
      count += 1
    }
    #expect(count == 4)
    let isRefilled = queue.isRefilled
    #expect(isRefilled)
  }

  @Test func withoutTimesANumberIsEnough() {
    var queue = PacketQueue(byteLimit: 1 << 20)
    for _ in 0..<63 { queue.append(Self.packet(at: nil, 1)) }
    var isRefilled = queue.isRefilled
    #expect(!isRefilled)
    queue.append(Self.packet(at: nil, 1))
    isRefilled = queue.isRefilled
    #expect(isRefilled)
  }

  @Test func bytesCanBeEnoughToo() {
    var queue = PacketQueue(byteLimit: 1000, refill: PacketQueue.Refill(span: .ms(500), byteCount: 300))
    queue.append(Self.packet(at: .ms(0), 299))
    var isRefilled = queue.isRefilled
    #expect(!isRefilled)
    queue.append(Self.packet(at: .ms(1), 1))
    isRefilled = queue.isRefilled
    #expect(isRefilled)
  }

  @Test func aDeeperQueueStaysWithinItsBound() {
    var queue = PacketQueue(byteLimit: 1000, mostBytes: 3000)
    for index in 0..<10 { queue.append(Self.packet(at: .ms(Int64(index) * 100))) }
    var wantsMore = queue.wantsMore
    #expect(!wantsMore)
    queue.deepen(to: 100_000)
    while queue.wantsMore { queue.append(Self.packet(at: .ms(Int64(queue.count) * 100))) }
    let byteCount = queue.byteCount
    #expect(byteCount == 3000)
    wantsMore = queue.wantsMore
    #expect(!wantsMore)
  }

  /// Whatever is asked for: a queue that is read no further is enough to play on, or playing would never go on.
  @Test(arguments: [(0, 0), (1, 100), (500, .max), (1_000_000, .max)] as [(Int64, Int)])
  func whoReadsNoFurtherCanPlayOn(span: Int64, byteCount: Int) {
    for (step, size) in [(0, 1), (1, 10), (40, 300), (1000, 5000)] as [(Int64, Int)] {
      for hasTimes in [true, false] {
        var queue = PacketQueue(
          byteLimit: 2000, refill: PacketQueue.Refill(span: .ms(span), byteCount: byteCount))
        while queue.wantsMore {
          queue.append(Self.packet(at: hasTimes ? .ms(Int64(queue.count) * step) : nil, size))
        }
        let isRefilled = queue.isRefilled
        #expect(isRefilled)
      }
    }
  }

  /// What is nearer to where a seek goes, in the order of decoding.
  @Test func itKnowsWhetherANearerPictureIsRead() {
    var queue = PacketQueue(byteLimit: 1000)
    let none = queue.hasTime(after: .zero, upTo: .ms(100))
    #expect(!none)
    for time in [160, 80, 120] as [Int64] { queue.append(FakePacket(FakePicture(pts: .ms(time)))) }
    let found = [(0, 79), (0, 80), (80, 119), (80, 120), (120, 159), (160, 900)].map {
      queue.hasTime(after: .ms($0.0), upTo: .ms($0.1))
    }
    #expect(found == [false, true, false, true, false, false])
  }
}
