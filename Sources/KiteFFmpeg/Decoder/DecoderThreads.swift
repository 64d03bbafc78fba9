/// How many threads decode: one where one does, as many as help where not. A pure value; times are nanoseconds.
///
/// FFmpeg's frame threads wake each other for every frame, hold a picture and its tables each, and bring every picture a
/// frame later. One thread is without all that, and fast enough where it decodes a frame in a part of the time that the frame
/// stays. That is measured: one thread begins, and more take over where it proves slow. More begin where pictures are
/// decoded only to get past them, as on the way to a seek's.
struct DecoderThreads {
  /// More than this part of a frame's time, and one thread is too slow. Other threads, and scenes that are harder, want
  /// room too.
  static let tooSlow = 0.5
  /// Less than this, and one is enough again.
  static let enough = 0.35
  /// Frames before the first word.
  static let firstLook = 16
  /// Of those, the first ones are not counted: they are written into memory that the kernel has to find first, and a
  /// keyframe is among them.
  static let warmUp = 4
  /// Frames after a seek before one thread takes over: who seeks once may seek again.
  static let settling = 48
  /// Frames for which more threads stay after one was too slow.
  static let patience = 1000

  /// As many as help; where that is one there is no choice.
  let limit: Int
  /// Threads that decode now.
  private(set) var count: Int
  private let duration: Double
  private var frames = 0
  /// What a frame costs one thread; nil while that is not known.
  private var mean: Double?
  private var isLate = false
  /// Frames before one thread is wanted again.
  private var wait = 0

  /// - Parameters:
  ///   - limit: as many threads as help.
  ///   - frameDuration: how long a frame stays; 0 where that isn't known.
  init(limit: Int, frameDuration: Int64) {
    self.limit = max(1, limit)
    count = 1
    // Who says nothing has 60 a second, who says more than is usual shows slides.
    duration = frameDuration <= 0 ? 16_666_667 : Double(min(frameDuration, 100_000_000))
  }

  /// Always so many.
  init(fixed count: Int) {
    limit = max(1, count)
    self.count = limit
    duration = 1
  }

  /// Whether what a frame costs is to be measured.
  var measures: Bool { count == 1 && limit > 1 }
  /// Whether more threads are to take over, as soon as they can.
  var wantsMore: Bool { measures && (isLate || isTooSlow) }
  /// Whether one thread is to take over, where nothing is lost by it.
  var wantsOne: Bool {
    count > 1 && wait <= 0 && !isLate && mean.map { $0 < Self.enough * duration } == true
  }

  private var isTooSlow: Bool {
    guard let mean, frames >= Self.firstLook else { return false }
    return mean > Self.tooSlow * duration
  }

  /// A frame came out, for which the one thread worked so long since the one before.
  mutating func decoded(cost: Int64) {
    guard limit > 1 else { return }
    if count > 1 {
      wait -= 1
      return
    }
    frames += 1
    guard frames > Self.warmUp else { return }
    let share = 1 / Double(min(frames - Self.warmUp, 16))
    mean = (mean ?? 0) + (Double(cost) - (mean ?? 0)) * share
  }

  /// Pictures come too late, or are to be got past.
  mutating func hurry() { if measures { isLate = true } }

  /// Whether more threads are to decode what comes after everything inside was let go of, as for a seek.
  var wantsMoreForSeek: Bool { measures && frames > 0 }

  /// More threads took over.
  mutating func tookMore(forSeek: Bool) {
    guard limit > 1 else { return }
    wait = forSeek && !isLate && !isTooSlow ? Self.settling : Self.patience
    count = limit
    isLate = false
    frames = 0
  }

  /// One thread took over.
  mutating func tookOne() {
    count = 1
    frames = 0
    isLate = false
  }
}
