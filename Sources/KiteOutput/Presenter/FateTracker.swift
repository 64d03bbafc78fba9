import KiteSystem

/// What became of committed frames, from what the compositor says and does not say.
///
/// Presentation feedback is the best evidence. Where it is missing, or stays silent for `patience` while frame
/// callbacks come (headless outputs do that), the callback after the commit counts. Commits are numbered upwards.
struct FateTracker {
  /// How a committed frame ended.
  enum Fate: Hashable {
    case presented, superseded, failed
  }

  /// One frame's end.
  struct Settlement: Hashable {
    let commit: UInt64
    let fate: Fate
  }

  /// How long feedback may stay silent, in nanoseconds: the view's contract says 500 ms.
  static let patience: Int64 = 500_000_000
  /// Commits whose fate is still open, at the most. More than three are never in flight; the others have been
  /// replaced on the surface, whatever a compositor that answers nothing thinks of them.
  static let limit = 8

  private struct Open {
    let commit: UInt64
    let time: MonotonicTime
    var wasCalledBack = false
    /// Contents of it whose feedback is to come: more than one after repaints.
    var contents = 1
    let expectsFeedback: Bool
  }

  private var open: [Open] = []
  private(set) var isFeedbackSilent = false

  /// When to `tick` next: only a commit that was called back can be settled by time.
  var deadline: MonotonicTime? { open.first { $0.wasCalledBack }.map { $0.time + Self.patience } }
  /// Whether every fate is known.
  var isSettled: Bool { open.isEmpty }

  /// A frame was committed; `expectsFeedback` when feedback was asked for.
  mutating func committed(_ commit: UInt64, at now: MonotonicTime, expectsFeedback: Bool) -> [Settlement] {
    open.append(Open(commit: commit, time: now, expectsFeedback: expectsFeedback))
    guard open.count > Self.limit else { return [] }
    let oldest = open.removeFirst()
    return [Settlement(commit: oldest.commit, fate: oldest.wasCalledBack ? .presented : .superseded)]
  }

  /// The frame of `commit` goes out again, for another geometry. Whether its fate is still open: it is then the new
  /// content's too, whose callback and feedback are to be asked for in its name.
  mutating func recommitted(_ commit: UInt64) -> Bool {
    guard let index = open.firstIndex(where: { $0.commit == commit }) else { return false }
    open[index].contents += 1
    return true
  }

  /// The frame callback asked for with `commit` came.
  mutating func callback(_ commit: UInt64) -> [Settlement] {
    guard let index = open.firstIndex(where: { $0.commit == commit }) else { return [] }
    open[index].wasCalledBack = true
    guard !open[index].expectsFeedback || isFeedbackSilent else { return [] }
    return settle(through: index)
  }

  /// Feedback said that `commit` was on the screen.
  mutating func presented(_ commit: UInt64) -> [Settlement] {
    isFeedbackSilent = false
    return end(commit, as: .presented)
  }

  /// Feedback said that `commit` was never on the screen: replaced, when there is a newer one, else lost.
  mutating func discarded(_ commit: UInt64, newest: UInt64) -> [Settlement] {
    isFeedbackSilent = false
    if let index = open.firstIndex(where: { $0.commit == commit }), open[index].contents > 1 {
      open[index].contents -= 1
      return []
    }
    return end(commit, as: commit < newest ? .superseded : .failed)
  }

  /// Settles what has waited for its feedback too long and was called back.
  mutating func tick(_ now: MonotonicTime) -> [Settlement] {
    guard let index = open.lastIndex(where: { $0.wasCalledBack && now >= $0.time + Self.patience }) else {
      return []
    }
    isFeedbackSilent = true
    return settle(through: index)
  }

  /// The surface is let go and its answers are not waited for any longer.
  mutating func abandon() -> [Settlement] {
    defer { open.removeAll() }
    return open.map { Settlement(commit: $0.commit, fate: $0.wasCalledBack ? .presented : .failed) }
  }

  /// The commit at `index` was shown; those before it that never were are superseded by it.
  private mutating func settle(through index: Int) -> [Settlement] {
    let settled = open[...index]
    open.removeFirst(index + 1)
    return settled.map {
      Settlement(commit: $0.commit, fate: $0.wasCalledBack ? .presented : .superseded)
    }
  }

  /// Feedback may come out of order: only the one commit is settled.
  private mutating func end(_ commit: UInt64, as fate: Fate) -> [Settlement] {
    guard let index = open.firstIndex(where: { $0.commit == commit }) else { return [] }
    open.remove(at: index)
    return [Settlement(commit: commit, fate: fate)]
  }
}
