import KiteSystem

/// The frames that the renderer was given before their time, and how the schedule was before each of them.
///
/// A renderer that takes frames early lets both sides sleep longer. But what it has was aimed with the clock of then: where
/// that stops, jumps or changes its rate, the frames are taken back and handed over anew.
struct Handover {
  /// Frames that a renderer may give back at once. From one that gives back more they are let go: nobody knows any more how
  /// the schedule was before them.
  static let limit = 6
  /// A frame whose time is off by more than this is taken back, in nanoseconds: a clock that is slewed to follow the sound
  /// moves a frame by less than 1 ms, and a quarter of a refresh at 60 Hz is not seen.
  static let tolerance: Int64 = 4_000_000

  private struct Entry {
    let target: MonotonicTime
    let media: MediaTime
    let offset: MediaTime
    let before: FrameSchedule
  }

  private var entries: [Entry] = []
  /// The last turn handed a frame over, and more may follow that are not wanted yet.
  var isUnderWay = false

  /// No frame waits, and the delivery thread sleeps until this time, when the next one is wanted.
  var expected: MonotonicTime?

  /// A frame that begins at `media`, on the line that `offset` moves it to, goes to the renderer.
  mutating func append(
    target: MonotonicTime, media: MediaTime?, offset: MediaTime, before schedule: FrameSchedule,
    at now: MonotonicTime
  ) {
    guard target > now, let media else { return }
    entries.append(Entry(target: target, media: media, offset: offset, before: schedule))
    if entries.count > Self.limit { entries.removeFirst() }
  }

  /// Whether `clock` has other times for the frames that are still to be seen.
  mutating func isOff(_ clock: PlaybackClock, at now: MonotonicTime) -> Bool {
    guard !entries.isEmpty else { return false }
    entries.removeAll { $0.target <= now }
    return entries.contains { entry in
      guard let time = clock.time(of: entry.media) else { return true }
      return abs(time.nanoseconds - entry.target.nanoseconds) > Self.tolerance
    }
  }

  /// The frames were taken back, the oldest of them for `target`: how the schedule was before it, and by what the frames
  /// are moved. Nil where it is not known.
  func state(before target: MonotonicTime) -> (schedule: FrameSchedule, offsets: [MediaTime])? {
    guard let index = entries.firstIndex(where: { $0.target == target }) else { return nil }
    return (entries[index].before, entries[index...].map(\.offset))
  }

  /// They are not to be taken back any more.
  mutating func forget() {
    entries.removeAll()
    isUnderWay = false
  }
}
