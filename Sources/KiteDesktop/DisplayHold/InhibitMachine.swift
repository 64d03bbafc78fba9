/// Which service keeps the display awake, and what is to be asked of it next.
///
/// Services are tried in their order, from the first one on with every new hold. A pure value: it takes what happened and
/// returns what to do. Answers name their attempt, so that one that comes too late is known.
struct InhibitMachine {
  /// What happened.
  enum Event: Hashable {
    /// The display is to be kept awake.
    case hold
    /// It may sleep.
    case letGo
    /// The service did what it was asked for; `token` undoes it.
    case granted(attempt: Int, token: BusValue)
    /// The service is not there, does not answer, or refuses: also later, after it had granted.
    case refused(attempt: Int)
    /// The service has left the bus, and what it did is gone.
    case vanished(service: Int)
    /// The bus is gone, with everything on it.
    case busLost
  }

  /// What to do now.
  enum Action: Hashable {
    /// Ask this service to keep the display awake, and report `granted` or `refused`.
    case ask(service: Int, attempt: Int)
    /// Take back what it did.
    case undo(service: Int, token: BusValue)
  }

  private enum State {
    case idle
    /// `isWanted`: the answer is still of interest; otherwise it is undone as soon as it comes.
    case asking(service: Int, attempt: Int, isWanted: Bool)
    case held(service: Int, attempt: Int, token: BusValue)
    /// No service does it; the next hold tries again.
    case helpless
  }

  private let serviceCount: Int
  private var state = State.idle
  private var attempts = 0
  /// Services may leave so often in one hold before they are given up: one that crashes at every call must not be
  /// started for ever.
  private var patience = 0
  private static let patience = 3

  /// A machine over `serviceCount` services, the first one tried first.
  init(serviceCount: Int) { self.serviceCount = serviceCount }

  /// Takes what happened and returns what to do. What changes nothing returns nothing.
  mutating func event(_ event: Event) -> [Action] {
    switch event {
    case .hold: hold()
    case .letGo: letGo()
    case .granted(let attempt, let token): granted(attempt, token)
    case .refused(let attempt): refused(attempt)
    case .vanished(let service): vanished(service)
    case .busLost: busLost()
    }
  }

  private mutating func hold() -> [Action] {
    switch state {
    case .idle, .helpless:
      patience = Self.patience
      return ask(0)
    case .asking(let service, let attempt, _):
      state = .asking(service: service, attempt: attempt, isWanted: true)
      return []
    case .held:
      return []
    }
  }

  private mutating func letGo() -> [Action] {
    switch state {
    case .idle, .helpless:
      state = .idle
      return []
    case .asking(let service, let attempt, _):
      state = .asking(service: service, attempt: attempt, isWanted: false)
      return []
    case .held(let service, _, let token):
      state = .idle
      return [.undo(service: service, token: token)]
    }
  }

  private mutating func granted(_ attempt: Int, _ token: BusValue) -> [Action] {
    guard case .asking(let service, attempt, let isWanted) = state else { return [] }
    if isWanted {
      state = .held(service: service, attempt: attempt, token: token)
      return []
    }
    state = .idle
    return [.undo(service: service, token: token)]
  }

  private mutating func refused(_ attempt: Int) -> [Action] {
    switch state {
    case .asking(let service, attempt, isWanted: true): return ask(service + 1)
    case .asking(_, attempt, isWanted: false):
      state = .idle
      return []
    case .held(let service, attempt, let token):
      return [.undo(service: service, token: token)] + ask(service + 1)
    default: return []
    }
  }

  private mutating func vanished(_ service: Int) -> [Action] {
    guard case .held(service, _, _) = state else { return [] }
    patience -= 1
    return ask(patience > 0 ? 0 : service + 1)
  }

  private mutating func busLost() -> [Action] {
    switch state {
    case .idle, .asking(_, _, isWanted: false): state = .idle
    case .asking, .held, .helpless: state = .helpless
    }
    return []
  }

  private mutating func ask(_ service: Int) -> [Action] {
    guard service < serviceCount else {
      state = .helpless
      return []
    }
    attempts += 1
    state = .asking(service: service, attempt: attempts, isWanted: true)
    return [.ask(service: service, attempt: attempts)]
  }
}
