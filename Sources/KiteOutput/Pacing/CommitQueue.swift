import KiteSystem

/// Commits that go out ahead of their time and tell the compositor when they are for: the top rung of the ladder.
///
/// With `wp_fifo_v1` and `wp_commit_timing_v1` the compositor keeps commits until their time, each for a refresh at least.
/// No thread of ours has to wake for a vblank then, and none that wakes late makes a frame late. What was committed can't be
/// called back, so little is: no further ahead than `horizon`, no more than `limit` frames.
///
/// It begins with the first frame of which the compositor says that it was shown: one that says nothing, or of a surface
/// that nobody sees, would keep the queue full.
struct CommitQueue {
  /// Committed frames whose fate is open, at the most.
  static let limit = 3
  /// How far ahead a frame may be committed, in nanoseconds: two frames of 24 a second. A seek's picture waits for what is
  /// in the queue, and this is as long as a seek may be told from one that is felt at once.
  static let horizon: Int64 = 84_000_000
  /// How long after its time a queued frame may be without fate, in nanoseconds, before the queue counts as stuck.
  static let patience: Int64 = 500_000_000
  /// How long nothing is queued after the geometry changed, in nanoseconds: while a window is resized every picture would
  /// wait for those of the sizes before.
  static let calm: Int64 = 500_000_000

  /// What a commit is told.
  struct Terms: Hashable {
    /// Not to be shown before; nil: as soon as what was committed before has been.
    var time: MonotonicTime?
    /// The frame before is to be seen for a refresh. Not for one that takes its place.
    var waits = false
    /// Seen after this, it was late; not told.
    var latest = MonotonicTime.distantFuture
  }

  private enum State: Hashable {
    /// The compositor lacks one of the protocols, or has let the queue be stuck.
    case off
    /// Nothing was shown yet, or not since the queue was stuck.
    case waiting
    case working
  }

  private struct Entry {
    let commit: UInt64
    let due: MonotonicTime
    let latest: MonotonicTime
    let isTimed: Bool
  }

  private var state: State
  private var entries: [Entry] = []
  /// Whether a frame with a time was shown since the queue began, or began again.
  private var hasWorked = false
  private var isFlushed = true
  private var lastAim: FramePacer.Aim?
  /// A frame was seen late: were each one shown for a refresh, all to come would be.
  private var isBehind = false
  /// The commits that were on their way when one was told to catch up are as late as those before.
  private var caughtUpWith: UInt64 = 0
  private var quietUntil = MonotonicTime.distantPast

  /// A queue, for a compositor that has both protocols and answers for its frames, if `isOffered`.
  init(isOffered: Bool) { state = isOffered ? .waiting : .off }

  /// Whether frames are committed ahead now.
  func isWorking(at now: MonotonicTime) -> Bool { state == .working && now >= quietUntil }

  /// Whether frames are committed ahead, or will be again in a moment: they come long before their time.
  var isOn: Bool { state == .working }

  /// Committed ahead, and of unknown fate.
  var count: Int { entries.count }

  /// When to `tick` next.
  var deadline: MonotonicTime? { state == .working ? entries.first.map { $0.due + Self.patience } : nil }

  /// How long before their time frames are wanted, in nanoseconds; nil for as long as usual.
  ///
  /// - Parameter duration: how long a frame stays, in nanoseconds.
  func lead(for duration: Int64, at now: MonotonicTime) -> Int64? {
    // Not more frames than may be committed.
    isWorking(at: now) && duration > 0 ? min(Self.horizon, duration * 5 / 2) : nil
  }

  /// Which of the waiting frames goes out, and when: in their order, but for those whose successor is due.
  func decide(targets: some RandomAccessCollection<MonotonicTime>, now: MonotonicTime)
    -> PresentationLaw.Decision
  {
    guard !targets.isEmpty, entries.count < Self.limit else { return .idle }
    let first = targets.lastIndex { $0 <= now } ?? targets.startIndex
    let opening = targets[first] - Self.horizon
    guard now >= opening else { return .wait(until: opening) }
    return .commit(index: targets.distance(from: targets.startIndex, to: first))
  }

  /// What the next commit is told, of a frame for `target` that is meant for the vblank `aim`, at `vblank`.
  ///
  /// - Parameters:
  ///   - period: nanoseconds of a refresh; nil while vblanks aren't known.
  ///   - duration: how long the frame stays, in nanoseconds.
  mutating func terms(
    target: MonotonicTime, aim: FramePacer.Aim?, vblank: MonotonicTime?, period: Double?, duration: Int64,
    at now: MonotonicTime
  ) -> Terms {
    defer {
      isFlushed = false
      lastAim = aim
    }
    // Half a refresh ahead of its vblank: no other is nearer, however far off our clock is.
    let half = period.map { Int64($0 / 2) } ?? duration
    let time = vblank.map { $0 - half } ?? target
    guard !isFlushed, time > now else { return Terms() }
    return Terms(
      time: time, waits: !isBehind && (aim == nil || aim != lastAim), latest: (vblank ?? target) + half)
  }

  /// A frame was committed, to be seen at `due`.
  mutating func committed(_ commit: UInt64, due: MonotonicTime, terms: Terms, at now: MonotonicTime) {
    entries.append(
      Entry(commit: commit, due: max(due, now), latest: terms.latest, isTimed: terms.time != nil))
    guard !terms.waits else { return }
    isBehind = false
    caughtUpWith = commit
  }

  /// A commit was on the screen at `time`; `settled` follows.
  mutating func presented(_ commit: UInt64, at time: MonotonicTime) {
    guard let entry = entries.first(where: { $0.commit == commit }), commit >= caughtUpWith else { return }
    isBehind = time > entry.latest
  }

  /// The fate of a commit is known.
  mutating func settled(_ commit: UInt64, wasShown: Bool) {
    // One that had nothing to wait for proves nothing.
    let hadWaited = entries.contains { $0.commit == commit && $0.isTimed }
    entries.removeAll { $0.commit == commit }
    guard wasShown else { return }
    if hadWaited { hasWorked = true }
    if state == .waiting { begin() }
  }

  /// Time passes. Whether the queue has just been found stuck.
  mutating func tick(_ now: MonotonicTime) -> Bool {
    guard let deadline, now >= deadline else { return false }
    // It has worked: nobody sees the surface, and when somebody does it will again. If it does not, it is not tried anew.
    state = hasWorked ? .waiting : .off
    hasWorked = false
    entries.removeAll()
    return true
  }

  /// What was queued is of no use any more, as after a seek. The next frame takes its place as soon as it can.
  mutating func flush() {
    isFlushed = true
    lastAim = nil
  }

  /// The geometry has changed: nothing is queued for a while.
  mutating func geometryChanged(at now: MonotonicTime) {
    quietUntil = now + Self.calm
    isFlushed = true
  }

  private mutating func begin() {
    state = .working
    entries.removeAll()
    isFlushed = true
  }
}
