import CSystemd

/// Puts values into a message.
struct MessageWriter {
  private let message: OpaquePointer

  init(_ message: OpaquePointer) { self.message = message }

  /// Appends the values.
  func write(_ values: [BusValue]) throws(BusError) {
    for value in values { try write(value) }
  }

  private func write(_ value: BusValue) throws(BusError) {
    switch value {
    case .byte(let value): try basic("y", value)
    case .bool(let value): try basic("b", Int32(value ? 1 : 0))
    case .int16(let value): try basic("n", value)
    case .uint16(let value): try basic("q", value)
    case .int32(let value): try basic("i", value)
    case .uint32(let value): try basic("u", value)
    case .int64(let value): try basic("x", value)
    case .uint64(let value): try basic("t", value)
    case .double(let value): try basic("d", value)
    case .string(let text): try self.text("s", text)
    case .path(let text): try self.text("o", text)
    case .signature(let text): try self.text("g", text)
    case .array(let element, let elements): try container("a", element, elements)
    case .entry(let key, let value): try container("e", key.signature + value.signature, [key, value])
    case .structure(let fields): try container("r", fields.map(\.signature).joined(), fields)
    case .variant(let value): try container("v", value.signature, [value])
    }
  }

  private func basic<Value: BitwiseCopyable>(_ type: Unicode.Scalar, _ value: Value) throws(BusError) {
    var value = value
    try check(sd.message_append_basic(message, CChar(type.value), &value))
  }

  private func text(_ type: Unicode.Scalar, _ text: String) throws(BusError) {
    try check(text.withCString { sd.message_append_basic(message, CChar(type.value), $0) })
  }

  private func container(
    _ type: Unicode.Scalar, _ contents: String, _ values: [BusValue]
  ) throws(BusError) {
    try check(sd.message_open_container(message, CChar(type.value), contents))
    try write(values)
    try check(sd.message_close_container(message))
  }

  private func check(_ result: Int32) throws(BusError) {
    if result < 0 { throw BusError(call: "putting a value into a message", result) }
  }
}
