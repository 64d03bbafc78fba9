import CSystemd
import KiteSystem

/// A connection to a message bus, as a source of a poll loop: typed, and never waiting for anything.
///
/// Belongs to the thread of its loop. What is sent waits in sd-bus until the bus takes it; a bus that hangs costs memory, not
/// time. When it dies, calls that wait for an answer get an error, then `onLost` is called once.
final class Bus: PollSource {
  /// Called once when the bus is gone by itself.
  var onLost: ((BusError) -> Void)?
  /// Answers the calls that others make; without it they get an error.
  var onCall: ((BusMessage) -> Answer)?

  /// What becomes of a call.
  enum Answer {
    case values([BusValue])
    case error(BusError)
    /// `answer(_:_:)` will be called, or never.
    case later
    /// Not for this handler: sd-bus answers.
    case notMine
  }

  private(set) var pointer: OpaquePointer?
  private let loop: PollLoop
  private let timer: LoopTimer

  /// Connects to the bus of the user's session, as `DBUS_SESSION_BUS_ADDRESS` or `XDG_RUNTIME_DIR` say, or to the one at
  /// `address`, and joins `loop`.
  ///
  /// Returns before the bus has said anything; what is sent meanwhile waits.
  /// - Throws: `BusError` when there is no bus to be found.
  init(address: String? = nil, on loop: PollLoop) throws(BusError) {
    self.loop = loop
    do throws(SystemError) { timer = try LoopTimer() } catch {
      throw BusError("org.freedesktop.DBus.Error.LimitsExceeded", error.description)
    }
    pointer = try Self.open(address)
    let handler = Unmanaged.passUnretained(self).toOpaque()
    // Ends with the bus, which does not outlive this object.
    _ = sd.add_filter(
      pointer, nil,
      { @Sendable message, bus, _ in
        guard let message, let bus else { return 0 }
        return Unmanaged<Bus>.fromOpaque(bus).takeUnretainedValue().filter(message)
      }, handler)
    loop.add(timer)
    loop.add(self)
  }

  deinit { disconnect() }

  private static func open(_ address: String?) throws(BusError) -> OpaquePointer {
    var new: OpaquePointer?
    guard SystemBusLibrary.table != nil else {
      throw BusError(
        "org.freedesktop.DBus.Error.NotSupported", "There is no library with sd-bus, such as libsystemd.so.0."
      )
    }
    guard let address else {
      let result = sd.open_user(&new)
      guard result >= 0, let new else { throw BusError(call: "connecting to the session's bus", result) }
      return new
    }
    var result = sd.new(&new)
    if result >= 0 { result = sd.set_address(new, address) }
    if result >= 0 { result = sd.set_bus_client(new, 1) }
    if result >= 0 { result = sd.start(new) }
    guard result >= 0, let new else {
      _ = sd.unref(new)
      throw BusError(call: "connecting to the bus at \(address)", result)
    }
    return new
  }

  /// Whether it is connected, or about to be.
  var isOpen: Bool { pointer != nil }

  /// The name that the bus has given to this connection; nil before it has.
  var uniqueName: String? {
    var name: UnsafePointer<CChar>?
    // Without an answer of the bus the call would wait for it.
    guard let pointer, sd.is_ready(pointer) > 0, sd.get_unique_name(pointer, &name) >= 0 else {
      return nil
    }
    return name.map { String(cString: $0) }
  }

  /// Leaves the bus, which has got all that it could take so far. Handlers are dropped. Idempotent.
  func close() {
    onLost = nil
    onCall = nil
    disconnect()
  }

  private func disconnect() {
    guard let pointer else { return }
    self.pointer = nil
    loop.remove(timer)
    loop.remove(self)
    sd.close(pointer)
    _ = sd.unref(pointer)
  }

  // MARK: The loop

  var descriptor: Int32 { pointer.map { sd.get_fd($0) } ?? -1 }

  func prepare() -> PollEvents {
    while let pointer {
      let result = sd.process(pointer, nil)
      if result == 0 { break }
      if result < 0 {
        lose(BusError(call: "the bus is gone", result))
        return []
      }
    }
    guard let pointer else { return [] }
    var timeout: UInt64 = .max
    let hasTimeout = sd.get_timeout(pointer, &timeout) > 0 && timeout != .max
    timer.arm(at: hasTimeout ? MonotonicTime(nanoseconds: Int64(clamping: timeout) &* 1000) : nil)
    return PollEvents(rawValue: Int16(clamping: max(0, sd.get_events(pointer))))
  }

  func process(_ events: PollEvents) {}

  private func lose(_ error: BusError) {
    let handler = onLost
    close()
    handler?(error)
  }

  private func filter(_ message: OpaquePointer) -> Int32 {
    var type: UInt8 = 0
    _ = sd.message_get_type(message, &type)
    guard type == kite_bus_method_call, let onCall else { return 0 }
    let call = BusMessage(message)
    switch onCall(call) {
    case .values(let values): answer(call, .success(values))
    case .error(let error): answer(call, .failure(error))
    case .later: break
    case .notMine: return 0
    }
    return 1
  }
}
