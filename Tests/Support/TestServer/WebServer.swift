import Foundation

/// A web server on this machine that answers well, badly, slowly or not at all, as it is told.
///
/// ```swift
/// let server = try WebServer()
/// server["/film.mkv"] = Answer(data)
/// try await player.open(MediaLocation(server.address("/film.mkv")))
/// ```
///
/// A thread accepts, and one serves each connection; they end with the server.
public final class WebServer: Sendable {
  /// A request as it came in.
  public struct Request: Hashable, Sendable {
    /// The path, such as `/film.mkv`.
    public var path: String
    /// The first byte that is asked for.
    public var start: Int
  }

  /// What went wrong at the start.
  public struct StartError: Error, CustomStringConvertible {
    public var description: String
  }

  struct State: ServerState {
    var answers: [String: Answer] = [:]
    var requests: [Request] = []
    var isStopping = false
    /// Connections that are being served.
    var connections = 0
  }

  private let state = ServerBox(State())
  let port: UInt16

  /// A server at a free port, with nothing to give yet.
  public init() throws(StartError) {
    let listener: Int32
    (listener, port) = try Self.listen()
    let state = state
    Thread.detachNewThread { state.accept(listener) { WebConnection($0, state).serve() } }
  }

  /// A socket that listens at a free port of this machine, and the port.
  static func listen() throws(StartError) -> (listener: Int32, port: UInt16) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard listener >= 0 else { throw StartError(description: "socket: errno \(errno)") }
    var address = SecureServer.loopback(0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
        bind(listener, raw, size) == 0 && Foundation.listen(listener, 64) == 0
          && getsockname(listener, raw, &size) == 0
      }
    }
    guard result else {
      close(listener)
      throw StartError(description: "bind: errno \(errno)")
    }
    return (listener, UInt16(bigEndian: address.sin_port))
  }

  deinit { stop() }

  /// Ends all connections, soon.
  public func stop() { state.withLock { $0.isStopping = true } }

  /// The address of `path`, which begins with a slash.
  public func address(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  /// What is at a path; nothing: 404.
  public subscript(path: String) -> Answer? {
    get { state.withLock { $0.answers[path] } }
    set { state.withLock { $0.answers[path] = newValue } }
  }

  /// What was asked for so far, in order.
  public var requests: [Request] { state.withLock { $0.requests } }
  /// Connections that are open.
  public var connections: Int { state.withLock { $0.connections } }
}
