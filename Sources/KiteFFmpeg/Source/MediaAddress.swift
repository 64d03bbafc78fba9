import Glibc

/// What a location's text means to us: a file, or an address for FFmpeg's protocols.
enum MediaAddress: Equatable {
  case path(String)
  case address(String)

  /// An existing file wins over whatever its name looks like; then a scheme makes an address; the rest is a path at which
  /// nothing is, which opening will say.
  init(_ text: String, exists: (String) -> Bool = MediaAddress.exists) {
    if exists(text) {
      self = .path(text)
    } else if let path = Self.filePath(ofURL: text) {
      self = .path(path)
    } else if Self.hasScheme(text) {
      self = .address(text)
    } else {
      self = .path(text)
    }
  }

  /// Whether anything is at `path`, a broken link included.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// `scheme://…` as RFC 3986 spells it, of two letters at least.
  static func hasScheme(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon >= 2, isLetter(bytes[0]) else {
      return false
    }
    let marks = Array("+-.".utf8)
    guard bytes[..<colon].allSatisfy({ isLetter($0) || isDigit($0) || marks.contains($0) }) else {
      return false
    }
    return bytes[colon...].starts(with: Array("://".utf8))
  }

  /// The path of a `file:///path` or `file://localhost/path` address, its escapes decoded; nil for anything else.
  static func filePath(ofURL text: String) -> String? {
    for prefix in ["file:///", "file://localhost/"] where text.hasPrefix(prefix) {
      return "/" + percentDecoded(text.dropFirst(prefix.count))
    }
    return nil
  }

  private static func percentDecoded(_ text: Substring) -> String {
    let bytes = Array(text.utf8)
    var decoded: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let high = hexDigit(bytes[index + 1]), let low = hexDigit(bytes[index + 2])
      {
        decoded.append(high << 4 | low)
        index += 3
      } else {
        decoded.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func hexDigit(_ byte: UInt8) -> UInt8? {
    if isDigit(byte) { return byte - UInt8(ascii: "0") }
    let lower = byte | 0x20
    return (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(lower) ? lower - UInt8(ascii: "a") + 10 : nil
  }
}
