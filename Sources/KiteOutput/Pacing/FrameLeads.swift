/// How long before their targets frames are wanted, and how long before they may come, in nanoseconds.
struct FrameLeads: Hashable {
  /// How long before its time a frame is wanted: 20 ms. It goes out up to a refresh before, and converting a 4K frame takes
  /// up to 8 ms. Each frame that waits longer costs its memory: 3 MB at 1080p.
  static let usual: Int64 = 20_000_000
  /// Frames of fewer nanoseconds wait in too large a number, those of more wake nobody often.
  private static let paired: ClosedRange<Int64> = 15_000_000...100_000_000

  /// How long before its target a frame is wanted.
  var wanted = FrameLeads.usual
  /// How long before its target it may come.
  var earliest = FrameLeads.usual

  /// As long as nothing is known.
  init() {}

  /// All of them as soon as this.
  init(_ lead: Int64) {
    wanted = max(lead, Self.usual)
    earliest = wanted
  }

  /// Of frames that come evenly and stay for `duration` nanoseconds: two at a time, and before the one in front of them is
  /// committed. So a presenter that wakes for a commit finds the next frame there, and is not woken for its coming.
  init(evenly duration: Int64) {
    guard Self.paired.contains(duration) else { return }
    wanted = duration + Self.usual
    // A quarter more than two frames: their times don't come to the nanosecond.
    earliest = wanted + duration * 5 / 4
  }
}
