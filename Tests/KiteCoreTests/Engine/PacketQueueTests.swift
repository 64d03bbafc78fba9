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

  @Test func enoughIsHalfASecondOrHalfTheBytes() {
    var queue = PacketQueue(byteLimit: 1000)
    queue.append(Self.packet(at: .ms(100), 1))
    queue.append(Self.packet(at: .ms(599), 1))
    var isRefilled = queue.isRefilled(span: .ms(500))
    #expect(!isRefilled)
    queue.append(Self.packet(at: .ms(600), 1))
    isRefilled = queue.isRefilled(span: .ms(500))
    #expect(isRefilled)
    queue.removeAll()
    isRefilled = queue.isRefilled(span: .ms(500))
    #expect(!isRefilled)
    queue.append(Self.packet(at: nil, 500))
    isRefilled = queue.isRefilled(span: .ms(500))
    #expect(isRefilled)
  }

  @Test func withoutTimesANumberIsEnough() {
    var queue = PacketQueue(byteLimit: 1 << 20)
    for _ in 0..<63 { queue.append(Self.packet(at: nil, 1)) }
    var isRefilled = queue.isRefilled(span: .ms(500))
    #expect(!isRefilled)
    queue.append(Self.packet(at: nil, 1))
    isRefilled = queue.isRefilled(span: .ms(500))
    #expect(isRefilled)
  }
}
