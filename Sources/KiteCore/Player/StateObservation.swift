/// Keeps an observer of a player's state called, until it is cancelled or let go.
public final class StateObservation: Sendable {
  private let publisher: StatePublisher
  private let id: UInt64

  init(publisher: StatePublisher, id: UInt64) {
    self.publisher = publisher
    self.id = id
  }

  deinit {
    cancel()
  }

  /// Ends the observation; a call that is under way on another thread still completes. Idempotent.
  public func cancel() { publisher.removeObserver(id) }
}
