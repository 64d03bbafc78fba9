import KiteSystem

/// Packets between demuxer and decoder, bounded in bytes and in number.
///
/// It fills to the brim and is filled again when half of it is gone, so that the demuxer wakes seldom and reads much.
struct PacketQueue: ~Copyable {
  /// Bytes that are enough, when they are a while of media; one packet more than that may be inside.
  let byteLimit: Int
  private var packets: RingBuffer<any MediaPacket>
  private(set) var byteCount = 0
  private var newestTime: MediaTime?
  private var isFilling = true

  /// Packets that fit: what a packet costs beside its bytes is bounded too. 8 s at 30 frames a second.
  static let countLimit = 256
  /// Media of a high rate may take this many times the byte limit, so that the queue still holds `refillSpan` of it.
  private static let leeway = 8
  /// Media that is read ahead before a slow source counts as caught up: few stops instead of many.
  static let refillSpan = MediaTime(nanoseconds: 500_000_000)
  /// Packets that are enough to play on after a pause for data when none of them has a time.
  private static let refilledCount = 64

  init(byteLimit: Int, countLimit: Int = Self.countLimit) {
    self.byteLimit = max(1, byteLimit)
    packets = RingBuffer(capacity: countLimit)
  }

  var count: Int { packets.count }
  var isEmpty: Bool { packets.isEmpty }
  /// Whether no packet more is taken.
  var isFull: Bool { packets.isFull || byteCount / Self.leeway >= byteLimit }
  /// Whether the demuxer is to read on.
  var wantsMore: Bool { isFilling && !packets.isFull }

  mutating func append(_ packet: any MediaPacket) {
    guard packets.append(packet) == nil else { return }
    byteCount += packet.byteCount
    if let pts = packet.pts { newestTime = max(newestTime ?? pts, pts) }
    let isEnough = byteCount >= byteLimit && (span.map { $0 >= Self.refillSpan } ?? true)
    if isEnough || byteCount / Self.leeway >= byteLimit || packets.isFull { isFilling = false }
  }

  mutating func popFirst() -> (any MediaPacket)? {
    guard let packet = packets.popFirst() else { return nil }
    byteCount -= packet.byteCount
    if packets.count <= packets.capacity / 2, byteCount <= byteLimit / 2 || isShort { isFilling = true }
    return packet
  }

  mutating func removeAll() {
    packets.removeAll()
    byteCount = 0
    newestTime = nil
    isFilling = true
  }

  /// Whether there is enough to play on after a wait for data.
  var isRefilled: Bool {
    if packets.isFull || byteCount / Self.leeway >= byteLimit { return true }
    guard let span else { return byteCount >= byteLimit / 2 || count >= Self.refilledCount }
    return span >= Self.refillSpan
  }

  /// Whether high-rate media is about to run out, though its bytes are many.
  private var isShort: Bool {
    guard let span else { return false }
    return span < MediaTime(nanoseconds: Self.refillSpan.nanoseconds / 2)
      && byteCount / Self.leeway < byteLimit / 2
  }

  /// How much media is inside; nil when its packets have no times.
  private var span: MediaTime? {
    guard let newestTime, let oldest = packets.withElement(at: 0, { $0.pts }) ?? nil else { return nil }
    return newestTime - oldest
  }
}
