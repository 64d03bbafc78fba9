internal import CWayland

/// One argument of a request on its way to libwayland. For emitted code.
public struct WireArgument {
  let raw: wl_argument

  private init(_ raw: wl_argument) { self.raw = raw }

  /// A signed number, or a file descriptor, which libwayland duplicates.
  public static func int(_ value: Int32) -> WireArgument { WireArgument(wl_argument(i: value)) }
  /// An unsigned number.
  public static func uint(_ value: UInt32) -> WireArgument { WireArgument(wl_argument(u: value)) }
  /// A fixed-point number.
  public static func fixed(_ value: WaylandFixed) -> WireArgument {
    WireArgument(wl_argument(i: value.rawValue))
  }
  /// An object that is alive, or none.
  public static func object(_ object: Proxy?) -> WireArgument {
    WireArgument(wl_argument(o: object?.pointer))
  }
  /// libwayland's own object, for runtimes of other ends of the wire.
  public static func object(raw: OpaquePointer?) -> WireArgument { WireArgument(wl_argument(o: raw)) }
  /// The place of a new object, which libwayland fills in.
  public static var newID: WireArgument { WireArgument(wl_argument(o: nil)) }
  /// The name of an interface, for binding.
  public static func interfaceName(_ type: any WaylandObject.Type) -> WireArgument {
    WireArgument(wl_argument(s: type.interface.pointer.pointee.name))
  }

  /// The longest string that is sent, in bytes: a message has to fit 4096 bytes, or the connection is lost.
  public static let longestString = 3072

  /// Calls `body` with a string that lives as long as the call. What is longer than `longestString` is cut at
  /// a character; what follows a zero byte is lost.
  public static func with<Result>(_ string: String, _ body: (WireArgument) -> Result) -> Result {
    guard string.utf8.count > longestString else {
      return string.withCString { body(WireArgument(wl_argument(s: $0))) }
    }
    var end = string.utf8.index(string.utf8.startIndex, offsetBy: longestString)
    while end > string.startIndex, end.samePosition(in: string) == nil {
      end = string.utf8.index(before: end)
    }
    return String(string[..<end]).withCString { body(WireArgument(wl_argument(s: $0))) }
  }

  /// Calls `body` with a string that lives as long as the call, or with none.
  public static func with<Result>(_ string: String?, _ body: (WireArgument) -> Result) -> Result {
    guard let string else { return body(WireArgument(wl_argument(s: nil))) }
    return with(string, body)
  }

  /// Calls `body` with bytes that live as long as the call. More than about 4000 can't be sent.
  public static func with<Result>(_ bytes: [UInt8], _ body: (WireArgument) -> Result) -> Result {
    var bytes = bytes
    return bytes.withUnsafeMutableBytes { buffer in
      var array = wl_array(size: buffer.count, alloc: buffer.count, data: buffer.baseAddress)
      return withUnsafeMutablePointer(to: &array) { body(WireArgument(wl_argument(a: $0))) }
    }
  }
}
