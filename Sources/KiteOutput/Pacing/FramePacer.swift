import KiteSystem

/// When each frame is to be committed, so that it is shown at the vblank that is meant for it.
///
/// Every frame is aimed at a vblank when it arrives: the one after its target, by the steadiest pattern. It is committed
/// right after the vblank before, when the frame before is on the screen and the compositor has all of a refresh to take the
/// new one. Where vblanks aren't known, a frame goes out when its target has come, as ever.
struct FramePacer {
  /// A vblank, and how far it can be trusted: only while vblanks are counted as they were.
  struct Aim: Hashable, Sendable {
    let vblank: Double
    let epoch: Int
  }

  /// How a frame did.
  struct Tally: Hashable, Sendable {
    var onTime = 0
    var oneLate = 0
    var moreLate = 0
    var early = 0
  }

  /// How long after a vblank the next frame goes out, in nanoseconds: what a compositor needs to be through with the one
  /// before, whose latching it would otherwise replace.
  static let settling: Int64 = 1_000_000

  private var vblanks = VblankClock()
  private var cadence = Cadence()
  private var cadenceEpoch = 0
  private var lastTarget: MonotonicTime?
  /// How long the latest frame stays, in nanoseconds; 0 before the first.
  private(set) var frameDuration: Int64 = 0
  private(set) var tally = Tally()

  /// Nanoseconds of a refresh, as measured; nil while vblanks aren't known.
  var period: Double? { vblanks.period }

  /// A frame was shown that was aimed at `aim`, if at any.
  mutating func presented(at time: MonotonicTime, refresh: Int64, aim: Aim?) {
    if let aim, aim.epoch == vblanks.epoch, let position = vblanks.position(of: time) {
      switch position.rounded() - aim.vblank {
      case 0: tally.onTime += 1
      case 1: tally.oneLate += 1
      case 2...: tally.moreLate += 1
      default: tally.early += 1
      }
    }
    vblanks.presented(at: time, refresh: refresh)
  }

  /// The vblank for the frame that arrived last; nil while vblanks aren't known.
  ///
  /// - Parameters:
  ///   - target: when the frame should be seen.
  ///   - duration: how long it stays, in nanoseconds, where no frame came before.
  mutating func aim(target: MonotonicTime, duration: Int64) -> Aim? {
    let step = lastTarget.map { target - $0 } ?? duration
    lastTarget = target
    frameDuration = step > 0 ? step : duration
    guard let period = vblanks.period, let position = vblanks.position(of: target) else { return nil }
    if cadenceEpoch != vblanks.epoch {
      cadence.reset()
      cadenceEpoch = vblanks.epoch
    }
    // Half a refresh on: a frame is never meant to be seen before its time.
    let stay = Double(step > 0 ? step : duration) / period
    return Aim(vblank: cadence.vblank(for: position + 0.5, duration: stay), epoch: vblanks.epoch)
  }

  /// From when on a frame may be committed.
  func opening(for target: MonotonicTime, aim: Aim?) -> MonotonicTime {
    guard let aim, aim.epoch == vblanks.epoch, let before = vblanks.time(of: aim.vblank - 1) else {
      return target
    }
    return before + Self.settling
  }

  /// When the vblank of an aim is; nil where vblanks aren't known.
  func vblank(of aim: Aim?) -> MonotonicTime? {
    guard let aim, aim.epoch == vblanks.epoch else { return nil }
    return vblanks.time(of: aim.vblank)
  }

  /// What was aimed at has passed: a seek, another player.
  mutating func reset() {
    cadence.reset()
    lastTarget = nil
  }
}
