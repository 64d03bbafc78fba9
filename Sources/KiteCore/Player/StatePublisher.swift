import KiteSystem

/// Holds the state of a player, numbers its versions and tells them to all who listen, in order.
final class StatePublisher: Sendable {
  private enum Message {
    /// To all observers, or to one that has just come.
    case state(PlayerState, only: UInt64?)
    /// To whoever waits for a state that stands before this.
    case reply(@Sendable () -> Void)
  }

  private struct Box {
    var state = PlayerState()
    /// The engine whose word counts.
    var source: UInt64 = 0
    var streams: [UInt64: AsyncStream<PlayerState>.Continuation] = [:]
    var observers: [UInt64: @Sendable (PlayerState) -> Void] = [:]
    var nextID: UInt64 = 0
    /// What has not been told yet, in order.
    var untold: [Message] = []
    var isTelling = false
    var isFinished = false

    mutating func set(_ new: PlayerState) {
      var new = new
      new.version = state.version + 1
      state = new
      for stream in streams.values { stream.yield(new) }
      if !observers.isEmpty { untold.append(.state(new, only: nil)) }
    }

    mutating func makeID() -> UInt64 {
      nextID += 1
      return nextID
    }
  }

  private let box = Locked(Box())

  /// The newest state.
  var state: PlayerState { box.withLock { $0.state } }

  /// A new state from engine `source`; one that is no longer the player's is not heard.
  func publish(_ state: PlayerState, from source: UInt64) {
    box.withLock { box in
      if box.source == source { box.set(state) }
    }
  }

  /// Makes `source` the engine whose word counts, and `state` the state.
  func begin(_ source: UInt64, with state: PlayerState) {
    box.withLock { box in
      box.source = source
      box.set(state)
    }
  }

  func makeStream() -> AsyncStream<PlayerState> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: PlayerState.self, bufferingPolicy: .bufferingNewest(1))
    let id = box.withLock { box -> UInt64? in
      continuation.yield(box.state)
      guard !box.isFinished else { return nil }
      let id = box.makeID()
      box.streams[id] = continuation
      return id
    }
    guard let id else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      // The continuation is let go outside the lock: its end may run code.
      _ = self?.box.withLock { $0.streams.removeValue(forKey: id) }
    }
    return stream
  }

  func addObserver(_ observer: @escaping @Sendable (PlayerState) -> Void) -> UInt64 {
    box.withLock { box in
      let id = box.makeID()
      box.observers[id] = observer
      box.untold.append(.state(box.state, only: id))
      return id
    }
  }

  func removeObserver(_ id: UInt64) {
    _ = box.withLock { $0.observers.removeValue(forKey: id) }
  }

  /// Calls `reply` once all states up to now have been told: with `callObservers`.
  func answer(_ reply: @escaping @Sendable () -> Void) {
    box.withLock { $0.untold.append(.reply(reply)) }
  }

  /// Tells the observers what they have not been told, unless another thread is at it, which then goes on. Called
  /// without any lock held.
  func callObservers() {
    let isMine = box.withLock { box in
      guard !box.isTelling, !box.untold.isEmpty else { return false }
      box.isTelling = true
      return true
    }
    guard isMine else { return }
    while let calls = nextToTell() {
      for call in calls { call() }
    }
  }

  private func nextToTell() -> [@Sendable () -> Void]? {
    box.withLock { box -> [@Sendable () -> Void]? in
      guard !box.untold.isEmpty else {
        box.isTelling = false
        return nil
      }
      switch box.untold.removeFirst() {
      case .reply(let reply):
        return [reply]
      case .state(let state, let only):
        var calls: [@Sendable () -> Void] = []
        for (id, observer) in box.observers where only == nil || only == id {
          calls.append { observer(state) }
        }
        return calls
      }
    }
  }

  /// Ends all streams; they give the newest state first.
  func finish() {
    let streams = box.withLock { box in
      defer { box.streams.removeAll() }
      box.isFinished = true
      return Array(box.streams.values)
    }
    for stream in streams { stream.finish() }
  }
}
