import KiteSystem

/// The effects of an `InhibitMachine`: the bus, the calls, and the ear for what becomes of the services. Lives on the
/// desktop's thread.
final class BusInhibitor {
  private let loop: PollLoop
  private let address: String?
  private let application: String
  private let reason: String
  private let timeout: Int64
  private let services = InhibitService.all
  private var machine = InhibitMachine(serviceCount: InhibitService.all.count)
  private var bus: Bus?
  /// Of the attempt whose late refusal counts, and the object that would tell of it.
  private var granted: (attempt: Int, token: BusValue)?
  /// Refusals that came before the answer itself: a signal may overtake it.
  private var refusedPaths: [String] = []

  /// - Parameters:
  ///   - address: of the bus; nil for the session's.
  ///   - timeout: how long a service may take to answer, in nanoseconds.
  init(on loop: PollLoop, address: String?, application: String, reason: String, timeout: Int64) {
    self.loop = loop
    self.address = address
    self.application = application
    self.reason = reason
    self.timeout = timeout
  }

  func hold() { handle(.hold) }

  func letGo() { handle(.letGo) }

  private func handle(_ event: InhibitMachine.Event) {
    for action in machine.event(event) { perform(action) }
  }

  private func perform(_ action: InhibitMachine.Action) {
    switch action {
    case .ask(let service, let attempt): ask(services[service], attempt)
    case .undo(let service, let token):
      granted = nil
      if let call = services[service].undo(token) { bus?.call(call) }
    }
  }

  private func ask(_ service: InhibitService, _ attempt: Int) {
    guard let bus = connect() else { return handle(.refused(attempt: attempt)) }
    granted = nil
    refusedPaths.removeAll()
    bus.call(service.ask(application, reason), timeout: timeout) { [weak self] answer in
      guard let self else { return }
      guard case .success(let values) = answer, let token = values.first, service.undo(token) != nil else {
        return handle(.refused(attempt: attempt))
      }
      granted = (attempt, token)
      handle(.granted(attempt: attempt, token: token))
      if refusedPaths.contains(token.asString ?? "") { handle(.refused(attempt: attempt)) }
    }
  }

  /// The bus, when there is one; made for the first hold, and anew when it was lost.
  private func connect() -> Bus? {
    if let bus { return bus }
    guard let new = try? Bus(address: address, on: loop) else { return nil }
    bus = new
    new.onLost = { [weak self] _ in
      self?.bus = nil
      self?.granted = nil
      self?.handle(.busLost)
    }
    for (index, service) in services.enumerated() {
      new.onSignal(
        "NameOwnerChanged", of: "org.freedesktop.DBus", from: "org.freedesktop.DBus", argument: service.name
      ) { [weak self] signal in
        // The name, its old owner, its new one.
        guard signal.body.count == 3, signal.body[1].asString != "" else { return }
        self?.granted = nil
        self?.handle(.vanished(service: index))
      }
      guard let late = service.lateAnswer else { continue }
      new.onSignal(late.member, of: late.interface, from: service.name) { [weak self] signal in
        // 0 says that it was done.
        guard let code = signal.body.first?.asUInt32, code != 0 else { return }
        self?.refused(signal.path)
      }
    }
    return new
  }

  private func refused(_ path: String) {
    if let granted, granted.token.asString == path {
      handle(.refused(attempt: granted.attempt))
    } else {
      refusedPaths.append(path)
    }
  }

  /// Leaves the bus; services forget what a connection that is gone has asked for.
  func end() {
    bus?.close()
    bus = nil
  }
}
