internal import KiteSystem

/// Which key repeats, and when next.
///
/// One key at a time, the one that went down last. What a stalled program missed is not made up for: a burst
/// of repeats would act on keys that were let go long ago.
struct KeyRepeat {
  private var delay: Int64 = 600_000_000
  private var interval: Int64 = 40_000_000
  private var held: (code: UInt32, next: MonotonicTime)?

  /// When to call `fired`; nil while nothing repeats.
  var deadline: MonotonicTime? { held?.next }

  /// `wl_keyboard.repeat_info`: `rate` in repeats a second, 0 for none; `delay` in milliseconds before the
  /// first.
  mutating func configured(rate: Int32, delay: Int32) {
    interval = rate > 0 ? max(1_000_000, 1_000_000_000 / Int64(rate)) : 0
    self.delay = Int64(max(0, delay)) * 1_000_000
    if interval == 0 { held = nil }
  }

  /// A key that repeats went down.
  mutating func pressed(_ code: UInt32, at now: MonotonicTime) {
    held = interval > 0 ? (code, now + delay) : nil
  }

  /// A key went up; no matter unless it repeats.
  mutating func released(_ code: UInt32) {
    if held?.code == code { held = nil }
  }

  /// The keyboard went elsewhere.
  mutating func stop() { held = nil }

  /// The time has come. Returns the key to repeat, if there still is one.
  mutating func fired(at now: MonotonicTime) -> UInt32? {
    guard let (code, next) = held, now >= next else { return nil }
    let following = next + interval
    held = (code, following > now ? following : now + interval)
    return code
  }
}
