import Foundation

/// Damages files, the same way for the same seed.
struct Mutator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// Below `limit`, which is at least 1.
  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(1, limit))) }

  /// One to four kinds of damage; every second time in the first 2 KiB, where the headers are.
  mutating func damaged(_ original: Data) -> Data {
    var bytes = [UInt8](original)
    for _ in 0...below(4) where !bytes.isEmpty { damage(&bytes) }
    return Data(bytes)
  }

  private mutating func damage(_ bytes: inout [UInt8]) {
    let reach = below(2) == 0 ? min(bytes.count, 2048) : bytes.count
    let place = below(reach)
    let length = min(1 + below(below(8) == 0 ? 4096 : 32), bytes.count - place)
    switch below(8) {
    case 0, 1:
      for _ in 0...below(24) { bytes[below(reach)] ^= 1 << UInt8(below(8)) }
    case 2:
      // Numbers at the edges, big-endian: what lengths and counts trip over.
      let values: [UInt32] = [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0xffff, 0x0100_0000, 0xffff_fff0]
      let value = values[below(values.count)]
      for index in 0..<4 where place + index < bytes.count {
        bytes[place + index] = UInt8(truncatingIfNeeded: value >> UInt32(24 - 8 * index))
      }
    case 3:
      for index in place..<place + length { bytes[index] = UInt8(truncatingIfNeeded: next()) }
    case 4:
      let value: UInt8 = below(2) == 0 ? 0 : 0xff
      for index in place..<place + length { bytes[index] = value }
    case 5: bytes.removeSubrange(place..<place + length)
    case 6: bytes.insert(contentsOf: bytes[place..<place + length], at: below(bytes.count))
    default: bytes.removeLast(bytes.count - max(1, place))
    }
  }
}
