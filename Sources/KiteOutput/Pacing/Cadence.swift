/// Which vblank each frame is for: the steadiest pattern that follows the film.
///
/// Rounding each frame's time to the nearest vblank makes 24 frames on 60 Hz stutter as soon as the times fall half-way
/// between two: noise then decides, and 3:2 becomes 2:2:3:3. So times are not rounded at ½, but where the pattern that the
/// two rates make leaves the widest margin. Where the rates are nearly commensurable, as 23.976 on 60 Hz, that place drifts;
/// it is followed until a frame would be half a vblank off, and then one frame is shown a vblank longer or shorter, once.
///
/// Positions are vblanks as real numbers, as of `VblankClock`.
struct Cadence {
  /// Patterns longer than this are not looked for: 25 on 60 Hz is 5:2 in fives, 24 on 144 is 1.
  private static let longestPattern = 6
  /// How far the step between frames may be off a pattern's, in vblanks.
  private static let tolerance = 0.02
  /// How much of a frame's deviation from the pattern's middle is followed.
  private static let gain = 0.02

  /// How far the middle may go, in vblanks: at exactly ½ both sides are equally good, and noise would choose.
  private static let limit = 0.55
  /// How far off a frame may be shown for the sake of its own vblank.
  private static let farthest = 0.8

  private var last: (position: Double, vblank: Double)?
  private var step = 0.0
  private var hasPattern = false
  /// The middle of the deviations of vblanks from times, in vblanks.
  private(set) var middle = 0.0

  /// The vblank for a frame whose time is at `position`, and which stays for `duration` vblanks.
  mutating func vblank(for position: Double, duration: Double) -> Double {
    guard let last, isSuccessor(position, of: last.position) else { return begin(at: position, duration) }
    let newStep = position - last.position
    if abs(newStep - step) > Self.tolerance, abs(duration - step) > Self.tolerance {
      return begin(at: position, duration)
    }
    var vblank = (position + middle).rounded()
    // Two frames never meet on one vblank while there is one for each.
    if vblank <= last.vblank, newStep >= 1 - Self.tolerance, last.vblank + 1 - position <= Self.farthest {
      vblank = last.vblank + 1
    }
    if hasPattern { follow(vblank - position) }
    self.last = (position, vblank)
    return vblank
  }

  /// Forgets the pattern, as after a seek or when the vblanks are counted anew.
  mutating func reset() { self = Cadence() }

  private mutating func begin(at position: Double, _ duration: Double) -> Double {
    step = duration
    let vblank = position.rounded()
    let deviation = vblank - position
    // The deviations of a pattern of n frames are 1/n apart: from this one on, upwards.
    let length = Self.length(of: duration)
    hasPattern = length != nil
    let spread = length.map { Double($0 - 1) / Double(2 * $0) } ?? 0
    // Without a pattern any vblank may be the nearest.
    middle = hasPattern ? deviation + spread : 0
    if middle > 0.5 { middle = deviation - spread }
    last = (position, vblank)
    return vblank
  }

  private mutating func follow(_ deviation: Double) {
    middle += (deviation - middle) * Self.gain
    // Half a vblank off on average: the frames may as well be shown on the other side. A little more, so that they stay.
    if middle > Self.limit { middle -= 1 } else if middle < -Self.limit { middle += 1 }
  }

  private func isSuccessor(_ position: Double, of other: Double) -> Bool {
    position > other && position - other < 1000
  }

  /// After how many frames the pattern of a step repeats; nil for none of the short ones.
  private static func length(of step: Double) -> Int? {
    (1...longestPattern).first { count in
      let total = step * Double(count)
      return abs(total - total.rounded()) <= tolerance * Double(count)
    }
  }
}
