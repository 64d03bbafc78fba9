extension RendererDiagnostics {
  /// The format as its four characters, such as `NV12`; nil before the first buffer.
  public var formatName: String? {
    guard fourcc != 0 else { return nil }
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: fourcc >> (8 * $0)) }
    return String(decoding: bytes.map { (0x20..<0x7f).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
  }

  /// The modifier as the name or number that tools print: `linear`, else hexadecimal; nil for `wl_shm`.
  public var modifierName: String? {
    modifier.map { $0 == 0 ? "linear" : "modifier 0x\(String($0, radix: 16))" }
  }
}
