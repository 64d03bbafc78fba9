internal import CWayland

/// The interfaces of one protocol, made from the scanner's text and kept for the life of the process.
///
/// The text has a line an interface (`interface NAME VERSION`) followed by a line a message
/// (`request|event NAME SIGNATURE INTERFACE…`); `.` stands for an empty signature and for an unknown
/// interface.
public struct InterfaceTable: @unchecked Sendable {
  // @unchecked: everything is written in `init` and only read from then on.
  private let interfaces: UnsafeMutableBufferPointer<wl_interface>

  /// Reads the scanner's text; `others` holds the tables that it refers to.
  public init(_ text: StaticString, others: [InterfaceTable] = []) {
    var reader = InterfaceTableReader(text)
    interfaces = reader.readInterfaces()
    reader.connect(interfaces, others: others.map(\.interfaces))
  }

  /// The interface at a position in the protocol file.
  public subscript(index: Int) -> WireInterface {
    precondition(index < interfaces.count, "no interface at position \(index) of its protocol")
    return WireInterface(pointer: UnsafePointer(interfaces.baseAddress! + index))
  }
}
