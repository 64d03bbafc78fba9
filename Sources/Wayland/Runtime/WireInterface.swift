internal import CWayland

/// What libwayland knows about one interface: its name, its version, and the messages both ways.
///
/// The memory behind it lives as long as the process and never changes, so it may be read from any thread.
public struct WireInterface: @unchecked Sendable {
  // @unchecked: the pointee is written once, before the first value of this type exists.
  let pointer: UnsafePointer<wl_interface>

  /// The `struct wl_interface *`, for code that talks to libwayland by itself. Never freed.
  public var rawPointer: UnsafeRawPointer { UnsafeRawPointer(pointer) }

  /// The name on the wire, such as `wl_surface`.
  public var name: String { pointer.pointee.name.map { String(cString: $0) } ?? "" }

  /// The newest version that this process speaks.
  public var version: UInt32 { UInt32(pointer.pointee.version) }

  /// The name of a request, for messages to developers.
  func requestName(_ opcode: UInt32) -> String {
    guard opcode < pointer.pointee.method_count, let name = pointer.pointee.methods[Int(opcode)].name else {
      return "?"
    }
    return String(cString: name)
  }
}
