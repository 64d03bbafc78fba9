import Foundation

/// A web server over TLS, with a certificate that nobody has signed but itself: `socat` in front of a `WebServer`.
///
/// Its processes end with it.
public final class SecureServer: Sendable {
  /// What answers behind it.
  public let plain: WebServer
  /// Where its key and its certificate are.
  private let folder: URL
  private let port: UInt16
  private let process: pid_t

  /// What a client has to trust, as a file of PEM.
  public var certificate: String { folder.appending(path: "certificate.pem").path }

  /// A server with nothing to give yet.
  public init() throws {
    plain = try WebServer()
    folder = FileManager.default.temporaryDirectory.appending(path: "kite-tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let key = folder.appending(path: "key.pem").path
    let certificate = folder.appending(path: "certificate.pem").path
    let maker = try Self.start(
      [
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-days", "2",
        "-subj", "/CN=Kite's tests", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key,
        "-out", certificate,
      ], in: folder)
    var status: Int32 = 0
    while waitpid(maker, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else { throw Self.failure("openssl req", in: folder) }
    // A free port may be taken by another before the server has it.
    for _ in 0..<5 {
      let candidate = try Self.freePort()
      let server = try Self.start(
        [
          "socat",
          "OPENSSL-LISTEN:\(candidate),pf=ip4,bind=127.0.0.1,cert=\(certificate),key=\(key),verify=0,fork,reuseaddr",
          "TCP4:127.0.0.1:\(plain.port)",
        ], in: folder)
      if Self.waits(for: server, at: candidate) {
        (port, process) = (candidate, server)
        return
      }
      kill(-server, SIGKILL)
      waitpid(server, &status, 0)
    }
    throw Self.failure("socat", in: folder)
  }

  deinit {
    // With the processes that serve a connection each.
    kill(-process, SIGKILL)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    try? FileManager.default.removeItem(at: folder)
  }

  /// The address of `path`, which begins with a slash, on the host that the certificate is for, or on another name of it.
  public func address(_ path: String, host: String = "127.0.0.1") -> String {
    "https://\(host):\(port)\(path)"
  }

  private static func failure(_ what: String, in folder: URL) -> WebServer.StartError {
    let log = FileManager.default.contents(atPath: folder.appending(path: "log").path) ?? Data()
    return WebServer.StartError(description: "\(what): \(String(decoding: log, as: UTF8.self))")
  }

  /// Starts a program in a process group of its own; what it says goes into the folder's log.
  private static func start(_ command: [String], in folder: URL) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let log = folder.appending(path: "log").path
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    posix_spawnattr_setpgroup(&attributes, 0)
    var words = command.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var child: pid_t = 0
    let code = posix_spawnp(&child, command[0], &actions, &attributes, &words, environ)
    guard code == 0 else {
      throw WebServer.StartError(description: "\(command[0]): \(String(cString: strerror(code)))")
    }
    return child
  }

  private static func freePort() throws -> UInt16 {
    let (listener, port) = try WebServer.listen()
    close(listener)
    return port
  }

  static func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    address.sin_port = port.bigEndian
    return address
  }

  /// Whether the server listens before it ends, at most 30 s from now.
  private static func waits(for process: pid_t, at port: UInt16) -> Bool {
    for _ in 0..<3000 {
      var status: Int32 = 0
      if waitpid(process, &status, WNOHANG) == process { return false }
      let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      defer { close(client) }
      var address = loopback(port)
      let isThere = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
      if isThere { return true }
      usleep(10_000)
    }
    return false
  }
}
