/// Turns protocol descriptions into Swift text.
///
/// All protocols that refer to each other are given together; what none of them describes is emitted untyped.
public struct ProtocolScanner: Sendable {
  /// Which end of the wire the text is for.
  public enum Side: String, Sendable {
    /// Proxies over libwayland-client, together with the tables and the enums.
    case client
    /// Resources over libwayland-server; uses the tables and the enums of the client's text.
    case server
  }

  private let protocols: [WireProtocol]
  let universe: Universe

  /// - Parameters:
  ///   - protocols: everything that may be emitted or referred to.
  ///   - caps: the newest version wanted of an interface; what is newer is left out.
  public init(_ protocols: [WireProtocol], caps: [String: UInt32] = [:]) throws(ScannerError) {
    let names = Set(protocols.flatMap { $0.interfaces.map(\.name) })
    for name in caps.keys.sorted() where !names.contains(name) {
      throw ScannerError(file: protocols.first?.file ?? "", line: 0, problem: .unknownCap(interface: name))
    }
    self.protocols = protocols.map { $0.capped(caps) }
    universe = Universe(self.protocols)
  }

  /// The Swift text for the protocol of this name, or `nil` if it isn't among the given ones.
  ///
  /// - Parameter imports: modules to import beside what the side needs itself; the client's text names the
  ///   module with
  /// the runtime here unless it becomes part of it, the server's text the modules of the client's text and of
  /// the
  ///   resource runtime.
  public func emit(_ name: String, side: Side, imports: [String] = []) throws(ScannerError) -> String? {
    guard let wire = protocols.first(where: { $0.name == name }) else { return nil }
    let perspective = Perspective(side: side, universe: universe)
    return try InterfaceEmitter(wire: wire, perspective: perspective, imports: imports).emit()
  }
}

extension WireProtocol {
  fileprivate func capped(_ caps: [String: UInt32]) -> WireProtocol {
    WireProtocol(self, interfaces: interfaces.map { $0.capped(at: caps[$0.name] ?? $0.version) })
  }
}
