import CSystemd

/// A message that came: whole, and checked by sd-bus. Belongs to the thread of its bus.
final class BusMessage {
  let pointer: OpaquePointer
  let sender: String
  let path: String
  let interface: String
  let member: String
  let signature: String
  /// What was said with it. Empty when it holds what is not supported: then the signature does not match either.
  let body: [BusValue]

  /// Keeps a message of sd-bus's.
  init(_ pointer: OpaquePointer) {
    self.pointer = sd.message_ref(pointer) ?? pointer
    sender = Self.text(sd.message_get_sender(pointer))
    path = Self.text(sd.message_get_path(pointer))
    interface = Self.text(sd.message_get_interface(pointer))
    member = Self.text(sd.message_get_member(pointer))
    let body = MessageReader(pointer).readAll()
    self.body = body ?? []
    signature = body == nil ? "?" : Self.text(sd.message_get_signature(pointer, 1))
  }

  deinit { _ = sd.message_unref(pointer) }

  /// Why a call failed; nil for what is no error.
  var error: BusError? {
    guard let error = sd.message_get_error(pointer), let name = error.pointee.name else { return nil }
    return BusError(String(cString: name), Self.text(error.pointee.message))
  }

  private static func text(_ text: UnsafePointer<CChar>?) -> String {
    text.map { String(cString: $0) } ?? ""
  }
}
