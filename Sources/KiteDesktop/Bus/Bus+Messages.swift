import CSystemd

/// Whom to call, and for what.
struct BusCall: Hashable, Sendable {
  var destination: String
  var path: String
  var interface: String
  var member: String
  var arguments: [BusValue] = []
  /// Whether a service that does not run may be started for it.
  var startsService = true

  /// Reads a property.
  static func get(_ property: String, of interface: String, _ destination: String, _ path: String) -> BusCall
  {
    BusCall(
      destination: destination, path: path, interface: "org.freedesktop.DBus.Properties", member: "Get",
      arguments: [.string(interface), .string(property)])
  }
}

extension Bus {
  /// Calls, and hands the answer to `reply` when it comes: an error also when it does not within `timeout` nanoseconds, or
  /// when the bus dies first. `reply` is dropped when this end closes the bus.
  func call(
    _ call: BusCall, timeout: Int64 = 25_000_000_000,
    reply: @escaping (Result<[BusValue], BusError>) -> Void = { _ in }
  ) {
    guard let pointer else { return reply(.failure(BusError(call: call.member, -ENOTCONN))) }
    var message: OpaquePointer?
    defer { _ = sd.message_unref(message) }
    var result = sd.message_new_method_call(
      pointer, &message, call.destination, call.path, call.interface, call.member)
    guard result >= 0, let message else { return reply(.failure(BusError(call: call.member, result))) }
    do throws(BusError) { try MessageWriter(message).write(call.arguments) } catch {
      return reply(.failure(error))
    }
    if !call.startsService { _ = sd.message_set_auto_start(message, 0) }
    var slot: OpaquePointer?
    let handler = Handler { message in
      reply(message.error.map { .failure($0) } ?? .success(message.body))
    }
    result = sd.call_async(
      pointer, &slot, message, Handler.callback, handler.retained, UInt64(clamping: timeout / 1000))
    guard result >= 0 else {
      handler.release()
      return reply(.failure(BusError(call: call.member, result)))
    }
    giveToBus(slot)
  }

  /// Has `handler` called with every signal of this kind; nil stands for any.
  ///
  /// - Parameter argument: what the signal's first argument, a text, has to be.
  func onSignal(
    _ member: String, of interface: String, from sender: String?, path: String? = nil,
    argument: String? = nil,
    _ handler: @escaping (BusMessage) -> Void
  ) {
    guard let pointer else { return }
    let conditions = [("sender", sender), ("path", path), ("arg0", argument)]
    let rule = conditions.reduce("type='signal',interface='\(interface)',member='\(member)'") {
      rule, condition in
      condition.1.map { "\(rule),\(condition.0)='\($0)'" } ?? rule
    }
    var slot: OpaquePointer?
    let handler = Handler(handler)
    // A bus that refuses the rule is none to be left for that.
    let result = sd.add_match_async(
      pointer, &slot, rule, Handler.callback, { @Sendable _, _, _ in 1 }, handler.retained)
    if result < 0 { handler.release() } else { giveToBus(slot) }
  }

  /// Sends a signal to all who listen.
  func emit(_ member: String, of interface: String, at path: String, _ values: [BusValue]) {
    guard let pointer else { return }
    var message: OpaquePointer?
    defer { _ = sd.message_unref(message) }
    guard sd.message_new_signal(pointer, &message, path, interface, member) >= 0, let message,
      (try? MessageWriter(message).write(values)) != nil
    else { return }
    _ = sd.send(pointer, message, nil)
  }

  /// Answers a call that was to be answered later.
  func answer(_ call: BusMessage, _ answer: Result<[BusValue], BusError>) {
    guard let pointer, sd.message_get_expect_reply(call.pointer) > 0 else { return }
    var reply: OpaquePointer?
    defer { _ = sd.message_unref(reply) }
    switch answer {
    case .success(let values):
      guard sd.message_new_method_return(call.pointer, &reply) >= 0, let reply,
        (try? MessageWriter(reply).write(values)) != nil
      else { return }
    case .failure(let error):
      var raw = sd_bus_error()
      defer { sd.error_free(&raw) }
      _ = sd.error_set(&raw, error.name, error.message)
      guard sd.message_new_method_error(call.pointer, &reply, &raw) >= 0 else { return }
    }
    _ = sd.send(pointer, reply, nil)
  }

  /// The bus keeps the slot until its end, and the handler with it.
  private func giveToBus(_ slot: OpaquePointer?) {
    _ = sd.slot_set_destroy_callback(slot, Handler.destroy)
    _ = sd.slot_set_floating(slot, 1)
    // The bus has taken a reference of its own.
    _ = sd.slot_unref(slot)
  }

  /// A closure at a stable address, for sd-bus.
  private final class Handler {
    private let body: (BusMessage) -> Void
    init(_ body: @escaping (BusMessage) -> Void) { self.body = body }

    var retained: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }
    func release() { Unmanaged.passUnretained(self).release() }

    static let callback: sd_bus_message_handler_t = { @Sendable message, handler, _ in
      guard let message, let handler else { return 0 }
      let object = Unmanaged<Handler>.fromOpaque(handler).takeUnretainedValue()
      object.body(BusMessage(message))
      // Others may wait for the same signal.
      return 0
    }

    static let destroy: sd_bus_destroy_t = { @Sendable handler in
      if let handler { Unmanaged<Handler>.fromOpaque(handler).release() }
    }
  }
}
