import KiteSystem

/// Packets between demuxer and decoder, bounded in bytes and in number.
///
/// It fills to the brim and is filled again when half of it is gone, so that the demuxer wakes seldom and reads much.
struct PacketQueue: ~Copyable {
  /// Bytes that are enough; one packet more than that may be inside.
  let byteLimit: Int
  private var packets: RingBuffer<any MediaPacket>
  private(set) var byteCount = 0
  private var newestTime: MediaTime?
  private var isFilling = true

  /// Packets that fit: what a packet costs beside its bytes is bounded too. 8 s at 30 frames a second.
  private static let countLimit = 256
  /// Packets that are enough to play on after a pause for data when none of them has a time.
  private static let refilledCount = 64

  init(byteLimit: Int) {
    self.byteLimit = max(1, byteLimit)
    packets = RingBuffer(capacity: Self.countLimit)
  }

  var count: Int { packets.count }
  var isEmpty: Bool { packets.isEmpty }
  /// Whether the demuxer is to read on.
  var wantsMore: Bool { isFilling && !packets.isFull }

  mutating func append(_ packet: any MediaPacket) {
    guard packets.append(packet) == nil else { return }
    byteCount += packet.byteCount
    if let pts = packet.pts { newestTime = max(newestTime ?? pts, pts) }
    if byteCount >= byteLimit || packets.isFull { isFilling = false }
  }

  mutating func popFirst() -> (any MediaPacket)? {
    guard let packet = packets.popFirst() else { return nil }
    byteCount -= packet.byteCount
    if byteCount <= byteLimit / 2, packets.count <= packets.capacity / 2 { isFilling = true }
    return packet
  }

  mutating func removeAll() {
    packets.removeAll()
    byteCount = 0
    newestTime = nil
    isFilling = true
  }

  /// Whether there is enough to play on after a wait for data: `span` of media, or half of what fits.
  func isRefilled(span: MediaTime) -> Bool {
    if byteCount >= byteLimit / 2 || count >= Self.refilledCount { return true }
    guard let newestTime, let oldest = packets.withElement(at: 0, { $0.pts }) ?? nil else { return false }
    return newestTime - oldest >= span
  }
}
