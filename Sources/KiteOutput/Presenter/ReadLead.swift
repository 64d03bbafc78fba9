import KiteSystem

/// Whether the presenter reads the connection for the other threads too.
///
/// It leads from a commit until a second without one: it is awake for every frame anyway, and the main thread then
/// sleeps through all events but its own. A presenter that shows nothing would be woken for the main thread's events, and
/// hands the socket back.
struct ReadLead {
  /// How long it goes on after the last commit, in nanoseconds: more than the pause between two frames of the slowest
  /// video, so that it doesn't change hands with every frame.
  static let term: Int64 = 1_500_000_000

  /// What is to be done.
  enum Action: Hashable {
    case lead, resign
  }

  private var end: MonotonicTime?

  /// When to look again; nil while it doesn't lead.
  var deadline: MonotonicTime? { end }

  /// A frame was committed.
  mutating func committed(at now: MonotonicTime) -> Action? {
    defer { end = now + Self.term }
    return end == nil ? .lead : nil
  }

  /// Time passes.
  mutating func tick(_ now: MonotonicTime) -> Action? {
    guard let end, now >= end else { return nil }
    return stop()
  }

  /// The presenter ends.
  mutating func stop() -> Action? {
    guard end != nil else { return nil }
    end = nil
    return .resign
  }
}
