/// A value as D-Bus has them. File descriptors, which nothing here needs, are not among them.
indirect enum BusValue: Hashable, Sendable {
  case byte(UInt8)
  case bool(Bool)
  case int16(Int16)
  case uint16(UInt16)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  case string(String)
  case path(String)
  case signature(String)
  /// Elements of the type whose signature is `of`.
  case array(of: String, [BusValue])
  /// A key and its value, in an array.
  case entry(BusValue, BusValue)
  case structure([BusValue])
  case variant(BusValue)

  /// The value's type as D-Bus spells it.
  var signature: String {
    switch self {
    case .byte: "y"
    case .bool: "b"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .path: "o"
    case .signature: "g"
    case .array(let element, _): "a" + element
    case .entry(let key, let value): "{" + key.signature + value.signature + "}"
    case .structure(let fields): "(" + fields.map(\.signature).joined() + ")"
    case .variant: "v"
    }
  }

  /// A dictionary of texts and values of any type (`a{sv}`), in the order of the keys.
  static func options(_ options: [String: BusValue]) -> BusValue {
    let entries = options.sorted { $0.key < $1.key }
    return .array(of: "{sv}", entries.map { .entry(.string($0.key), .variant($0.value)) })
  }

  /// A list of texts (`as`).
  static func strings(_ strings: [String]) -> BusValue { .array(of: "s", strings.map { .string($0) }) }
}

// What is expected of a value that came from elsewhere; nil when it is of another type.
extension BusValue {
  var asBool: Bool? { if case .bool(let value) = self { value } else { nil } }
  var asInt32: Int32? { if case .int32(let value) = self { value } else { nil } }
  var asUInt32: UInt32? { if case .uint32(let value) = self { value } else { nil } }
  var asDouble: Double? { if case .double(let value) = self { value } else { nil } }
  var asVariant: BusValue? { if case .variant(let value) = self { value } else { nil } }
  var asElements: [BusValue]? { if case .array(_, let elements) = self { elements } else { nil } }

  /// A text, or the text of a path.
  var asString: String? {
    switch self {
    case .string(let text), .path(let text): text
    default: nil
    }
  }

  /// The value behind a key of a dictionary with texts for keys, out of its variant.
  subscript(key: String) -> BusValue? {
    for case .entry(.string(key), let value) in asElements ?? [] { return value.asVariant ?? value }
    return nil
  }
}
