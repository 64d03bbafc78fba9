import KiteSystem
import KiteViews

/// Speaks AT-SPI for the process's views: follows what the session says, joins the accessibility bus, answers and tells.
/// Lives on the desktop's thread.
final class AccessibilityService {
  private let loop: PollLoop
  private let address: String?
  private var machine = AttachmentMachine()
  private var tree: AccessibleTree
  private var session: Bus?
  private var bus: Bus?
  private var hasLookedForSession = false
  /// Of the connection that `bus` is.
  private var attempt = 0

  private static let busName = "org.a11y.Bus"
  private static let statusPath = "/org/a11y/bus"
  private static let statusInterface = "org.a11y.Status"
  private static let registryName = "org.a11y.atspi.Registry"

  /// - Parameter address: of the session's bus; nil to look for it as every program does.
  init(on loop: PollLoop, address: String?, applicationName: String) {
    self.loop = loop
    self.address = address
    tree = AccessibleTree(applicationName: applicationName)
  }

  // MARK: Views

  func publish(_ view: AccessibleView, of id: ObjectIdentifier) {
    follow()
    let count = tree.entries.count
    tell(tree.publish(view, of: id))
    if tree.entries.count > count { tell(tree.attention) }
  }

  func withdraw(_ id: ObjectIdentifier) { tell(tree.withdraw(id)) }

  private func tell(_ signals: [AccessibleSignal]) {
    // Before that nobody knows of the application.
    guard let bus, !tree.busName.isEmpty else { return }
    for signal in signals {
      bus.emit(signal.member, of: signal.interface, at: signal.path, signal.arguments)
    }
  }

  /// Leaves both buses.
  func end() {
    handle(.enabled(false))
    session?.close()
    session = nil
  }

  // MARK: The session

  /// Begins to follow what the session says of assistive technology.
  private func follow() {
    guard !hasLookedForSession else { return }
    hasLookedForSession = true
    guard let session = try? Bus(address: address, on: loop) else { return }
    self.session = session
    session.onLost = { [weak self] _ in
      self?.session = nil
      self?.handle(.enabled(false))
    }
    session.onSignal(
      "PropertiesChanged", of: AtspiName.properties, from: Self.busName, path: Self.statusPath,
      argument: Self.statusInterface
    ) { [weak self] signal in
      guard signal.body.count == 3 else { return }
      if let isEnabled = signal.body[1]["IsEnabled"]?.asBool {
        self?.handle(.enabled(isEnabled))
      } else if signal.body[2].asElements?.contains(.string("IsEnabled")) == true {
        self?.readStatus()
      }
    }
    session.onSignal(
      "NameOwnerChanged", of: "org.freedesktop.DBus", from: "org.freedesktop.DBus", argument: Self.busName
    ) { [weak self] signal in
      guard signal.body.count == 3 else { return }
      self?.handle(.enabled(false))
      if signal.body[2].asString != "" { self?.readStatus() }
    }
    readStatus()
  }

  /// Asks whether there is assistive technology. Whoever would answer is not started for that.
  private func readStatus() {
    var call = BusCall.get("IsEnabled", of: Self.statusInterface, Self.busName, Self.statusPath)
    call.startsService = false
    session?.call(call) { [weak self] answer in
      guard case .success(let values) = answer else { return }
      self?.handle(.enabled(values.first?.asVariant?.asBool ?? false))
    }
  }

  private func handle(_ event: AttachmentMachine.Event) {
    for action in machine.event(event) { perform(action) }
  }

  private func perform(_ action: AttachmentMachine.Action) {
    switch action {
    case .askForAddress(let attempt):
      let call = BusCall(
        destination: Self.busName, path: Self.statusPath, interface: Self.busName, member: "GetAddress")
      guard let session else { return handle(.address(nil, attempt: attempt)) }
      session.call(call) { [weak self] answer in
        self?.handle(.address((try? answer.get())?.first?.asString, attempt: attempt))
      }
    case .connect(let address, let attempt): connect(to: address, attempt)
    case .disconnect: disconnect()
    }
  }

  // MARK: The accessibility bus

  private func connect(to address: String, _ attempt: Int) {
    disconnect()
    self.attempt = attempt
    guard let bus = try? Bus(address: address, on: loop) else { return handle(.lost(attempt: attempt)) }
    self.bus = bus
    bus.onLost = { [weak self] _ in
      self?.disconnect()
      self?.handle(.lost(attempt: attempt))
    }
    bus.onCall = { [weak self] call in self?.answer(call) ?? .notMine }
    // A registry that was started anew has to be told again.
    bus.onSignal(
      "NameOwnerChanged", of: "org.freedesktop.DBus", from: "org.freedesktop.DBus",
      argument: Self.registryName
    ) { [weak self] signal in
      guard signal.body.count == 3, signal.body[2].asString != "" else { return }
      self?.embed()
    }
    // With the first answer of the bus its name for this program is known.
    let hello = BusCall(
      destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
      member: "GetId")
    bus.call(hello) { [weak self] _ in
      guard let self, self.bus === bus, let name = bus.uniqueName else { return }
      tree.busName = name
      embed()
    }
  }

  private func disconnect() {
    bus?.close()
    bus = nil
    tree.busName = ""
    tree.desktop = .none
  }

  /// Puts the application into the registry's tree.
  private func embed() {
    guard let bus, !tree.busName.isEmpty else { return }
    let attempt = attempt
    let call = BusCall(
      destination: Self.registryName, path: AccessibleNode.application.path,
      interface: "org.a11y.atspi.Socket", member: "Embed", arguments: [tree.reference(.application).value])
    bus.call(call) { [weak self] answer in
      guard let self, attempt == self.attempt, case .success(let values) = answer,
        case .structure(let fields) = values.first, fields.count == 2, let owner = fields[0].asString,
        let path = fields[1].asString
      else { return }
      tree.desktop = AccessibleTree.Reference(owner: owner, path: path)
      handle(.embedded(attempt: attempt))
      tell(tree.attention)
    }
  }

  private func answer(_ message: BusMessage) -> Bus.Answer {
    let call = AccessibleCall(
      path: message.path, interface: message.interface, member: message.member, body: message.body)
    // What is not of AT-SPI's, such as introspection, is for sd-bus to answer.
    guard call.path.hasPrefix("/org/a11y/atspi/"),
      call.interface.hasPrefix("org.a11y.atspi.")
        || call.interface == AtspiName.properties
    else { return .notMine }
    if tree.takeNumber(call) { return .values([]) }
    switch tree.answer(call) {
    case .success(let values): return .values(values)
    case .failure(let error): return .error(error)
    case nil: return .error(.unknownMethod(message))
    }
  }
}
