internal import CWayland
internal import Glibc

extension Display {
  /// Connects to the compositor of this session, or to the one whose socket is called `name` (a name below
  /// `XDG_RUNTIME_DIR`, or an absolute path).
  ///
  /// Without a name, libwayland's rules hold: the descriptor in `WAYLAND_SOCKET`, else the socket in
  /// `WAYLAND_DISPLAY`, else `wayland-0`.
  public static func connect(to name: String? = nil) throws(WaylandError) -> Display {
    ProtocolErrorLog.install()
    errno = 0
    guard let pointer = wl_display_connect(name) else {
      let code = errno
      throw .connectFailed(ConnectFailure(name: name, errno: code))
    }
    return Display(owning: pointer)
  }

  /// Connects over a socket that is connected already. The descriptor becomes the connection's, also when
  /// this throws.
  public static func connect(descriptor: Int32) throws(WaylandError) -> Display {
    ProtocolErrorLog.install()
    guard let pointer = wl_display_connect_to_fd(descriptor) else { throw .outOfMemory }
    return Display(owning: pointer)
  }
}

/// Where a compositor was looked for in vain.
public struct ConnectFailure: Equatable, Sendable, CustomStringConvertible {
  /// The socket's path, as far as it is known.
  public let path: String?
  /// The variables and arguments that led there, each as `NAME=value` or `NAME is not set`.
  public let lookedAt: [String]
  /// What the system said.
  public let errno: Int32

  init(name: String?, errno code: Int32) {
    var lookedAt: [String] = []
    func variable(_ name: String) -> String? {
      let value = getenv(name).map { String(cString: $0) }
      lookedAt.append(value.map { "\(name)=\($0)" } ?? "\(name) is not set")
      return value
    }
    var socket = name
    if socket == nil, let inherited = variable("WAYLAND_SOCKET") {
      path = "descriptor \(inherited)"
    } else {
      if socket == nil { socket = variable("WAYLAND_DISPLAY") ?? "wayland-0" }
      let found = socket ?? ""
      if found.hasPrefix("/") {
        path = found
      } else {
        path = variable("XDG_RUNTIME_DIR").map { "\($0)/\(found)" }
      }
    }
    self.lookedAt = lookedAt
    errno = code
  }

  public var description: String {
    let place = path.map { " at \($0)" } ?? ""
    let reason = errno == 0 ? "" : ": " + String(cString: strerror(errno))
    let looked = lookedAt.isEmpty ? "" : " (\(lookedAt.joined(separator: ", ")))"
    return
      "no Wayland compositor\(place)\(reason)\(looked). Start this from a Wayland session, or set WAYLAND_DISPLAY"
      + " and XDG_RUNTIME_DIR to a running compositor's."
  }
}
