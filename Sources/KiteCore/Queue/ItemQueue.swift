/// What comes after the item that is played, and how far the next one is.
struct ItemQueue {
  /// Where the opening of the next item is, which happens while the one before it still plays.
  private enum Ahead {
    case none
    case opening(QueueEntry)
    case open(OpenedItem)
    case failed(QueueEntry, MediaError)

    var entry: QueueEntry? {
      switch self {
      case .none: nil
      case .opening(let entry), .failed(let entry, _): entry
      case .open(let opened): opened.entry
      }
    }
  }

  /// What to do for the next item to follow without a gap.
  enum Step {
    /// Open it.
    case open(QueueEntry)
    /// It is being opened.
    case wait
    /// It is open.
    case ready(OpenedItem)
    /// It can't be played, and is passed over.
    case skip(MediaError)
    /// There is none.
    case none
  }

  /// How far the opening of an item is.
  enum Opening {
    case notBegun
    case underWay
    case done(Result<OpenedItem, MediaError>)
  }

  private(set) var waiting: [QueueEntry] = []
  private var ahead = Ahead.none

  var isEmpty: Bool { waiting.isEmpty }

  mutating func append(_ entry: QueueEntry) { waiting.append(entry) }

  /// Items come back that were to follow at once, in their order.
  mutating func putBack(_ entries: [QueueEntry]) { waiting.insert(contentsOf: entries, at: 0) }

  /// Lets all that waits go; returns it.
  mutating func removeAll() -> [QueueEntry] {
    defer { waiting = [] }
    return waiting
  }

  /// The next step; `skip` takes the item out.
  mutating func step() -> Step {
    guard let next = waiting.first else { return .none }
    guard ahead.entry === next else {
      ahead = .opening(next)
      return .open(next)
    }
    switch ahead {
    case .none, .opening: return .wait
    case .open(let opened): return .ready(opened)
    case .failed(_, let error):
      waiting.removeFirst()
      ahead = .none
      return .skip(error)
    }
  }

  /// Whether the next item is yet to be opened.
  var isUntouched: Bool { waiting.first.map { ahead.entry !== $0 } ?? false }

  /// The opening of `entry` is over. False: nobody waits for it any more.
  mutating func didOpen(_ entry: QueueEntry, _ result: Result<OpenedItem, MediaError>) -> Bool {
    guard case .opening(let current) = ahead, current === entry else { return false }
    switch result {
    case .success(let opened): ahead = .open(opened)
    case .failure(let error): ahead = .failed(entry, error)
    }
    return true
  }

  /// The next item, which is open, can't be played all the same.
  mutating func failFirst(_ entry: QueueEntry, _ error: MediaError) {
    if waiting.first === entry { ahead = .failed(entry, error) }
  }

  /// The next item is to be begun: takes it out. `opening(of:)` says how far it is.
  mutating func takeFirst() -> QueueEntry? { waiting.isEmpty ? nil : waiting.removeFirst() }

  /// How far the opening of an item is that was taken out; a result is told once.
  mutating func opening(of entry: QueueEntry) -> Opening {
    guard ahead.entry === entry else { return .notBegun }
    defer { if case .opening = ahead {} else { ahead = .none } }
    switch ahead {
    case .none: return .notBegun
    case .opening: return .underWay
    case .open(let opened): return .done(.success(opened))
    case .failed(_, let error): return .done(.failure(error))
    }
  }
}
