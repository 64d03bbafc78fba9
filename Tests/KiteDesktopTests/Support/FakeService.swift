import KiteSystem

@testable import KiteDesktop

/// A program on the bus that owns a name, and answers calls as the test says.
final class FakeService: Sendable {
  /// What becomes of a call.
  enum Behavior: Hashable, Sendable {
    case values([BusValue])
    case refusal
    case silence
    /// Kept until `answerKept`.
    case kept
  }

  private struct State {
    var behavior = Behavior.refusal
    var calls: [String] = []
    var ownsName = false
    var kept: Kept?
  }

  /// A call that waits. Only touched on the bus's thread.
  private struct Kept: @unchecked Sendable {
    let call: BusMessage
  }

  private let state = Locked(State())
  private let bus: Resident<Bus?>

  /// Joins the bus at `address` and takes `name`.
  init(_ name: String, at address: String, on thread: DesktopThread) {
    bus = Resident(on: thread) { loop in try? Bus(address: address, on: loop) }
    bus.use { [self] bus in
      bus?.onCall = { self.answer($0) }
      bus?.call(
        BusCall(
          destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
          interface: "org.freedesktop.DBus", member: "RequestName", arguments: [.string(name), .uint32(0)])
      ) { answer in
        self.state.withLock { $0.ownsName = (try? answer.get()) == [.uint32(1)] }
      }
    }
  }

  /// Whether the name is its own.
  var ownsName: Bool { state.withLock { $0.ownsName } }

  /// What it was asked for: member and arguments.
  var calls: [String] { state.withLock { $0.calls } }

  var behavior: Behavior {
    get { state.withLock { $0.behavior } }
    set { state.withLock { $0.behavior = newValue } }
  }

  /// Answers the call that was kept.
  func answerKept(_ values: [BusValue]) {
    bus.use { [self] bus in
      let kept = state.withLock { state in
        defer { state.kept = nil }
        return state.kept
      }
      if let kept { bus?.answer(kept.call, .success(values)) }
    }
  }

  /// Sends a signal.
  func emit(_ member: String, of interface: String, at path: String, _ values: [BusValue]) {
    bus.use { $0?.emit(member, of: interface, at: path, values) }
  }

  /// Leaves the bus, as a program that ends.
  func end() { bus.end { $0?.close() } }

  private func answer(_ call: BusMessage) -> Bus.Answer {
    guard call.interface != "org.freedesktop.DBus.Peer" else { return .notMine }
    let arguments = call.body.map { "\($0)" }.joined(separator: ", ")
    let kept = Kept(call: call)
    let behavior = state.withLock { state in
      state.calls.append("\(call.member)(\(arguments))")
      if state.behavior == .kept { state.kept = kept }
      return state.behavior
    }
    switch behavior {
    case .values(let values): return .values(values.isEmpty ? call.body : values)
    case .refusal: return .error(.unknownMethod(call))
    case .silence, .kept: return .later
    }
  }
}
