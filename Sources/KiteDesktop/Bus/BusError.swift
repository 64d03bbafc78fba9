import Glibc

/// What went wrong on a bus: D-Bus's name for it, and the other end's words.
struct BusError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Such as `org.freedesktop.DBus.Error.ServiceUnknown`.
  let name: String
  let message: String

  init(_ name: String, _ message: String) {
    self.name = name
    self.message = message
  }

  /// A call of sd-bus that failed with a negative `errno`.
  init(call: String, _ code: Int32) {
    name = "org.freedesktop.DBus.Error.Failed"
    message = "\(call): \(strerror(-code).map { String(cString: $0) } ?? "error \(-code)")"
  }

  var description: String { "\(message) (\(name))" }

  static func unknownMethod(_ call: BusMessage) -> BusError {
    BusError(
      "org.freedesktop.DBus.Error.UnknownMethod",
      "\(call.path) has no \(call.interface).\(call.member)(\(call.signature)).")
  }
  static func unknownObject(_ path: String) -> BusError {
    BusError("org.freedesktop.DBus.Error.UnknownObject", "There is no \(path).")
  }
  static func unknownProperty(_ name: String) -> BusError {
    BusError("org.freedesktop.DBus.Error.UnknownProperty", "There is no property \(name).")
  }
  static func readOnly(_ why: String) -> BusError {
    BusError("org.freedesktop.DBus.Error.PropertyReadOnly", why)
  }
}
