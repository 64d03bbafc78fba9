/// What `wayland-protocols.json` holds.
struct Configuration: Decodable {
  struct Entry: Decodable {
    /// The XML's name without its extension: `Protocols/NAME.xml` of the package, unless `system` says
    /// otherwise.
    let name: String
    /// A path below the data directory of the `wayland` or the `wayland-protocols` package.
    let system: String?
    /// The newest version wanted of an interface.
    let caps: [String: UInt32]?
    /// Whether another module emits it and this one only refers to it.
    let isContext: Bool?

    enum CodingKeys: String, CodingKey {
      case name, system, caps
      case isContext = "context"
    }
  }

  /// `client` or `server`.
  let side: String
  /// Modules that the emitted text imports.
  let imports: [String]?
  let protocols: [Entry]
}
