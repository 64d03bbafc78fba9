/// Emits the server's side of a protocol: a resource class an interface.
struct ServerEmitter {
  let wire: WireProtocol
  let universe: Universe
  let imports: [String]

  func emit() throws(ScannerError) -> String { "" }
}
