import KiteSystem

/// How exactly a seek lands.
public enum SeekMode: Hashable, Sendable {
  /// On the picture that is shown at the time asked for. Takes as long as decoding up to there from the keyframe before.
  case precise
  /// On the last keyframe at or before the time asked for: at once, but up to seconds earlier.
  case keyframe
  /// On the keyframe first, then on the exact picture: for a slider that is being dragged.
  case scrub
}

/// Seeks, one after the other: what is under way, and what comes next.
///
/// A new seek replaces the one under way, but not before that one has shown a picture: a held arrow key asks faster than a
/// decoder answers, and would show none. The old one then takes whatever picture comes next, and one that shows none within
/// `patience` is replaced all the same.
struct SeekMachine {
  struct Request: Hashable {
    var time: MediaTime
    var mode: SeekMode
  }

  /// What is to be done.
  enum Action: Hashable {
    case none
    /// Go to the keyframe at or before this time, and begin a new generation.
    case jump(to: MediaTime)
    /// Go on decoding up to `aim`, and show that picture too.
    case refine
    /// The seek is over.
    case finish
  }

  /// How long a seek that was overtaken may go on without a picture, in nanoseconds: as long as one is looked at, at the
  /// usual repetition of a held key.
  static let patience: Int64 = 200_000_000

  private struct Run: Hashable {
    var request: Request
    var since: MonotonicTime
    /// Where the picture has to be; nil: any will do.
    var aim: MediaTime?
  }

  private var run: Run?
  private var queued: Request?

  /// Whether a picture is being looked for.
  var isSeeking: Bool { run != nil }
  /// The picture that is looked for is the last one at or before this time; nil: any will do.
  var aim: MediaTime? { run?.aim }
  /// Where it is going in the end; nil while nothing is under way.
  var destination: MediaTime? { (queued ?? run?.request)?.time }
  /// When the one under way is replaced even without a picture; nil while no other waits.
  var deadline: MonotonicTime? { queued == nil ? nil : run.map { $0.since + Self.patience } }

  /// Somebody asks for another time.
  mutating func request(_ request: Request, at now: MonotonicTime) -> Action {
    guard let run, now < run.since + Self.patience else { return begin(request, at: now) }
    queued = request
    self.run?.aim = nil
    return .none
  }

  /// A picture of the seek under way was handed over.
  mutating func shown(at now: MonotonicTime) -> Action {
    guard let current = run else { return .none }
    if let queued { return begin(queued, at: now) }
    if current.request.mode == .scrub, current.aim == nil {
      run?.aim = current.request.time
      return .refine
    }
    run = nil
    return .finish
  }

  /// Time passes without a picture.
  mutating func tick(_ now: MonotonicTime) -> Action {
    guard let queued, let deadline, now >= deadline else { return .none }
    return begin(queued, at: now)
  }

  /// The picture that was looked for is not to be had.
  mutating func giveUp() { self = SeekMachine() }

  private mutating func begin(_ request: Request, at now: MonotonicTime) -> Action {
    queued = nil
    run = Run(request: request, since: now, aim: request.mode == .precise ? request.time : nil)
    return .jump(to: request.time)
  }
}
