import KiteSystem

/// Packets between demuxer and decoder, bounded in bytes and in number.
///
/// It fills to the brim and is filled again when half of it is gone, so that the demuxer wakes seldom and reads much.
struct PacketQueue: ~Copyable {
  /// What is enough to play on after a wait for data: either of them.
  struct Refill {
    /// Media that is read ahead before a slow source counts as caught up: few stops instead of many.
    var span = MediaTime(nanoseconds: 500_000_000)
    /// Bytes that do, however short the media in them is.
    var byteCount = Int.max
  }

  /// Bytes that are enough, when they are a while of media.
  private var byteLimit: Int
  /// Media of a high rate may take so many bytes, so that the queue still holds `refill.span` of it; one packet more than
  /// that may be inside.
  let mostBytes: Int
  private let refill: Refill
  private var packets: RingBuffer<any MediaPacket>
  private(set) var byteCount = 0
  private var newestTime: MediaTime?
  private var isFilling = true

  /// Packets that fit: what a packet costs beside its bytes is bounded too. 8 s at 30 frames a second.
  static let countLimit = 256
  /// `mostBytes` is this many times the byte limit, unless it is given.
  private static let leeway = 8
  /// Packets that are enough to play on after a pause for data when none of them has a time.
  private static let refilledCount = 64

  init(
    byteLimit: Int, mostBytes: Int? = nil, countLimit: Int = Self.countLimit, refill: Refill = Refill()
  ) {
    self.byteLimit = max(1, byteLimit)
    self.refill = refill
    let (most, overflow) = self.byteLimit.multipliedReportingOverflow(by: Self.leeway)
    self.mostBytes = mostBytes ?? (overflow ? .max : most)
    packets = RingBuffer(capacity: countLimit)
  }

  var count: Int { packets.count }
  var isEmpty: Bool { packets.isEmpty }
  /// Whether no packet more is taken.
  var isFull: Bool { packets.isFull || byteCount >= mostBytes }
  /// Whether the demuxer is to read on.
  var wantsMore: Bool { isFilling && !packets.isFull }

  /// Reads further ahead from now on, within `mostBytes`.
  mutating func deepen(to byteLimit: Int) {
    self.byteLimit = min(max(self.byteLimit, byteLimit), mostBytes)
    isFilling = true
  }

  mutating func append(_ packet: any MediaPacket) {
    guard packets.append(packet) == nil else { return }
    byteCount += packet.byteCount
    if let pts = packet.pts { newestTime = max(newestTime ?? pts, pts) }
    let isEnough = byteCount >= byteLimit && (span.map { $0 >= refill.span } ?? true)
    if isEnough || byteCount >= mostBytes || packets.isFull { isFilling = false }
  }

  mutating func popFirst() -> (any MediaPacket)? {
    guard let packet = packets.popFirst() else { return nil }
    byteCount -= packet.byteCount
    if packets.count <= packets.capacity / 2, byteCount <= byteLimit / 2 || isShort { isFilling = true }
    return packet
  }

  /// Whether one of the next packets has a time behind `first`, up to `last`.
  func hasTime(after first: MediaTime, upTo last: MediaTime) -> Bool {
    // Further apart no codec puts pictures that follow each other.
    for index in 0..<min(packets.count, 32) {
      guard let time = packets.withElement(at: index, { $0.pts }) ?? nil else { continue }
      if time > first, time <= last { return true }
    }
    return false
  }

  mutating func removeAll() {
    packets.removeAll()
    byteCount = 0
    newestTime = nil
    isFilling = true
  }

  /// Whether there is enough to play on after a wait for data.
  var isRefilled: Bool {
    if packets.isFull || byteCount >= min(mostBytes, refill.byteCount) { return true }
    guard let span else { return byteCount >= byteLimit / 2 || count >= Self.refilledCount }
    return span >= refill.span
  }

  /// Whether high-rate media is about to run out, though its bytes are many.
  private var isShort: Bool {
    guard let span else { return false }
    return span < MediaTime(nanoseconds: refill.span.nanoseconds / 2) && byteCount < mostBytes / 2
  }

  /// How much media is inside; nil when its packets have no times.
  var span: MediaTime? {
    guard let newestTime, let oldest = packets.withElement(at: 0, { $0.pts }) ?? nil else { return nil }
    return newestTime - oldest
  }
}
