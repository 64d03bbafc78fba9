import CSystemd

/// Takes the values out of a message.
struct MessageReader {
  private let message: OpaquePointer

  init(_ message: OpaquePointer) { self.message = message }

  /// All values from the beginning; nil when one is of a type that isn't supported.
  func readAll() -> [BusValue]? {
    guard sd.message_rewind(message, 1) >= 0 else { return nil }
    return readRest()
  }

  private func readRest() -> [BusValue]? {
    var values: [BusValue] = []
    while sd.message_at_end(message, 0) == 0 {
      guard let value = read() else { return nil }
      values.append(value)
    }
    return values
  }

  private func read() -> BusValue? {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    guard sd.message_peek_type(message, &type, &contents) > 0 else { return nil }
    switch UInt8(bitPattern: type) {
    case UInt8(ascii: "y"): return basic(type, UInt8(0)).map { .byte($0) }
    case UInt8(ascii: "b"): return basic(type, Int32(0)).map { .bool($0 != 0) }
    case UInt8(ascii: "n"): return basic(type, Int16(0)).map { .int16($0) }
    case UInt8(ascii: "q"): return basic(type, UInt16(0)).map { .uint16($0) }
    case UInt8(ascii: "i"): return basic(type, Int32(0)).map { .int32($0) }
    case UInt8(ascii: "u"): return basic(type, UInt32(0)).map { .uint32($0) }
    case UInt8(ascii: "x"): return basic(type, Int64(0)).map { .int64($0) }
    case UInt8(ascii: "t"): return basic(type, UInt64(0)).map { .uint64($0) }
    case UInt8(ascii: "d"): return basic(type, Double(0)).map { .double($0) }
    case UInt8(ascii: "s"): return text(type).map { .string($0) }
    case UInt8(ascii: "o"): return text(type).map { .path($0) }
    case UInt8(ascii: "g"): return text(type).map { .signature($0) }
    case UInt8(ascii: "a"):
      let element = contents.map { String(cString: $0) } ?? ""
      return container(type, contents).map { .array(of: element, $0) }
    case UInt8(ascii: "r"): return container(type, contents).map { .structure($0) }
    case UInt8(ascii: "e"):
      guard let pair = container(type, contents), pair.count == 2 else { return nil }
      return .entry(pair[0], pair[1])
    case UInt8(ascii: "v"): return container(type, contents)?.first.map { .variant($0) }
    default: return nil
    }
  }

  private func basic<Value: BitwiseCopyable>(_ type: CChar, _ zero: Value) -> Value? {
    var value = zero
    return sd.message_read_basic(message, type, &value) > 0 ? value : nil
  }

  private func text(_ type: CChar) -> String? {
    var text: UnsafePointer<CChar>?
    guard sd.message_read_basic(message, type, &text) > 0 else { return nil }
    return text.map { String(cString: $0) }
  }

  private func container(_ type: CChar, _ contents: UnsafePointer<CChar>?) -> [BusValue]? {
    guard sd.message_enter_container(message, type, contents) > 0, let values = readRest(),
      sd.message_exit_container(message) >= 0
    else { return nil }
    return values
  }
}
