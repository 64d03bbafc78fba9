/// How long it takes to make a frame ready for its commit: to convert or copy it.
struct ReadyCost {
  /// So long, in nanoseconds, it may take to be done when the frame is due, and no earlier: were it twice as long once, the
  /// commit would still be in time for its vblank, of which 15 ms are left then at 60 Hz.
  static let moment: Int64 = 4_000_000
  /// Frames that are looked at before anything is said.
  private static let enough = 8

  private var count = 0
  private var mean: Int64 = 0

  /// What it usually takes, in nanoseconds; nil while that isn't known.
  var usual: Int64? { count >= Self.enough ? mean : nil }

  /// It took so many nanoseconds.
  mutating func add(_ cost: Int64) {
    count += 1
    // An eighth each: an outlier moves it little, and half a second of frames decides.
    mean += (cost - mean) / Int64(min(count, 8))
  }
}
