import KiteSystem

/// Counts what became of every frame that the renderers of one view accepted.
///
/// At every instant `accepted == presented + superseded + failed + inFlight`. It outlives the renderers: a fate that
/// is learnt after a close still counts. Thread-safe.
public final class FrameLedger: Sendable {
  /// The totals at one instant.
  public struct Counts: Hashable, Sendable {
    /// Frames that a renderer took on, and did not give back.
    public internal(set) var accepted = 0
    /// Frames of which the compositor said, or let infer, that they were on the screen.
    public internal(set) var presented = 0
    /// Frames that a newer one replaced before they were shown.
    public internal(set) var superseded = 0
    /// Frames that ended in any other way.
    public internal(set) var failed = 0
    /// Frames whose fate is not known yet.
    public var inFlight: Int { accepted - presented - superseded - failed }

    /// No frames.
    public init() {}
  }

  private let state = Locked(Counts())

  /// An empty ledger.
  public init() {}

  /// The totals now, consistent among each other.
  public var counts: Counts { state.withLock { $0 } }

  /// Takes a frame on. The ticket ends it in exactly one way.
  public func accept() -> FrameTicket {
    state.withLock { $0.accepted += 1 }
    return FrameTicket(ledger: self)
  }

  fileprivate enum Fate { case presented, superseded, failed, withdrawn }

  fileprivate func settle(_ fate: Fate) {
    state.withLock { counts in
      switch fate {
      case .presented: counts.presented += 1
      case .superseded: counts.superseded += 1
      case .failed: counts.failed += 1
      case .withdrawn: counts.accepted -= 1
      }
    }
  }
}

/// The one right to say what became of one accepted frame. Dropped without a word, it counts as failed.
public struct FrameTicket: ~Copyable, Sendable {
  /// Nil once the fate has been told.
  private var ledger: FrameLedger?

  fileprivate init(ledger: FrameLedger) {
    self.ledger = ledger
  }

  deinit {
    ledger?.settle(.failed)
  }

  /// The compositor showed the frame.
  public consuming func presented() { end(.presented) }
  /// A newer frame took its place first.
  public consuming func superseded() { end(.superseded) }
  /// It was given back to who brought it, as if it had not been accepted.
  public consuming func withdrawn() { end(.withdrawn) }
  /// Something else ended it.
  public consuming func failed() { end(.failed) }

  private consuming func end(_ fate: FrameLedger.Fate) {
    ledger?.settle(fate)
    ledger = nil
  }
}
