/// The packets since the last keyframe, so that another decoder can take over in the middle of a stream.
///
/// A pure value over anything with a size. What would be too much to keep is not kept: the other decoder then begins at
/// the next keyframe.
struct ReplayQueue<Packet> {
  private var packets: [Packet] = []
  private var byteCount = 0
  private var isWhole = false
  private let countLimit: Int

  /// Bytes that are kept at the most: seconds of compressed video.
  static var limit: Int { 16_000_000 }

  /// - Parameter countLimit: packets that are kept at the most.
  init(countLimit: Int = .max) { self.countLimit = countLimit }

  /// A packet was sent to the decoder.
  mutating func append(_ packet: Packet, byteCount size: Int, isKeyframe: Bool) {
    if isKeyframe {
      removeAll()
      isWhole = true
    }
    guard isWhole else { return }
    byteCount += size
    guard byteCount <= Self.limit, packets.count < countLimit else { return removeAll() }
    packets.append(packet)
  }

  /// After a seek, or when no other decoder may have to take over.
  mutating func removeAll() {
    packets.removeAll()
    byteCount = 0
    isWhole = false
  }

  /// What the other decoder has to be given first.
  mutating func take() -> [Packet] {
    defer { removeAll() }
    return packets
  }
}
