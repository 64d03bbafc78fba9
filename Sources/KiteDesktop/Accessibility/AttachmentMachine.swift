/// Whether assistive technology is attached: it is while the desktop says that there is some, and there are views.
///
/// A pure value: it takes what happened and returns what to do. Answers and connections name their attempt.
struct AttachmentMachine {
  /// What happened.
  enum Event: Hashable {
    /// `org.a11y.Status.IsEnabled` is this; false also where nobody says so.
    case enabled(Bool)
    /// The address of the accessibility bus; nil when there is none to be had.
    case address(String?, attempt: Int)
    /// The registry has taken the application in.
    case embedded(attempt: Int)
    /// The connection could not be made, or is gone.
    case lost(attempt: Int)
  }

  /// What to do now.
  enum Action: Hashable {
    case askForAddress(attempt: Int)
    case connect(String, attempt: Int)
    case disconnect
  }

  private enum State: Hashable {
    case detached
    case asking(attempt: Int)
    case connected(attempt: Int)
  }

  private var state = State.detached
  private var attempts = 0
  /// How often in a row a bus may be gone before the registry has answered.
  private var patience = 0
  private static let patience = 3

  /// Nothing is attached.
  init() {}

  /// Takes what happened and returns what to do. What changes nothing returns nothing.
  mutating func event(_ event: Event) -> [Action] {
    switch (event, state) {
    case (.enabled(true), .detached):
      patience = Self.patience
      return ask()
    case (.enabled(false), .asking):
      state = .detached
      return []
    case (.enabled(false), .connected):
      state = .detached
      return [.disconnect]
    case (.address(let address, let attempt), .asking(let current)) where attempt == current:
      guard let address, !address.isEmpty else {
        state = .detached
        return []
      }
      state = .connected(attempt: attempt)
      return [.connect(address, attempt: attempt)]
    case (.embedded(let attempt), .connected(let current)) where attempt == current:
      patience = Self.patience
      return []
    case (.lost(let attempt), .connected(let current)) where attempt == current:
      // It may have been started anew, at another address.
      patience -= 1
      guard patience > 0 else {
        state = .detached
        return []
      }
      return ask()
    default:
      return []
    }
  }

  private mutating func ask() -> [Action] {
    attempts += 1
    state = .asking(attempt: attempts)
    return [.askForAddress(attempt: attempts)]
  }
}
