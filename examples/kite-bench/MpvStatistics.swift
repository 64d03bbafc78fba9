import Glibc

/// What mpv says of itself over its JSON IPC after it has played a file with `--video-sync=display-vdrop` for a while.
struct MpvStatistics: CustomStringConvertible {
  /// What is asked, as mpv's manual names it.
  private static let properties = [
    "estimated-frame-number", "frame-drop-count", "decoder-frame-drop-count", "mistimed-frame-count",
    "vo-delayed-frame-count", "vsync-jitter", "vsync-ratio", "estimated-display-fps", "display-fps",
  ]

  private var values: [(name: String, value: String)] = []
  private var wakeups: [Int] = []

  /// Plays `file` over and over for `seconds`; nil when mpv is not there or does not answer.
  init?(playing file: String, seconds: Int) {
    var template = Array("/tmp/kite-bench-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { rmdir(folder) }
    let path = "\(folder)/mpv"
    let arguments = [
      "mpv", "--no-config", "--vo=wlshm", "--video-sync=display-vdrop", "--no-audio", "--hwdec=no",
      "--really-quiet", "--osc=no", "--loop-file=inf", "--geometry=1280x720", "--input-ipc-server=\(path)",
      file,
    ]
    guard let pid = try? Child.start(arguments) else { return nil }
    defer {
      kill(pid, SIGTERM)
      var status: Int32 = 0
      while waitpid(pid, &status, 0) < 0, errno == EINTR {}
      unlink(path)
    }
    let pause = min(3, max(1, seconds / 4))
    sleep(UInt32(pause))
    let start = Self.switches(of: pid)
    guard let socket = Self.connect(path) else { return nil }
    defer { close(socket) }
    let firstFrame = Self.ask("estimated-frame-number", over: socket)
    let firstDelayed = Self.ask("vo-delayed-frame-count", over: socket)
    sleep(UInt32(seconds))
    wakeups = [Self.switches(of: pid) - start]
    guard firstFrame != nil else { return nil }
    for name in Self.properties {
      guard let value = Self.ask(name, over: socket) else { continue }
      values.append(
        (name, name == "vo-delayed-frame-count" ? "\(value) (\(firstDelayed ?? "?") before)" : value))
    }
  }

  var description: String {
    values.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
      + "; woken \(wakeups.first ?? 0) times"
  }

  private static func switches(of pid: pid_t) -> Int {
    Kernel.entries(of: "/proc/\(pid)/task").reduce(0) {
      $0 + Kernel.field("voluntary_ctxt_switches:", of: "/proc/\(pid)/task/\($1)/status")
    }
  }

  private static func connect(_ path: String) -> Int32? {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { target in
      for (index, byte) in path.utf8.prefix(target.count - 1).enumerated() { target[index] = byte }
    }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(descriptor, $0, size) == 0 }
    }
    guard isConnected else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  /// The value of a property as JSON; nil when mpv has none or does not answer within 2 s.
  private static func ask(_ property: String, over socket: Int32) -> String? {
    // mpv tells events over the same socket: the answer is the line with this number.
    let number = 1000 + (properties.firstIndex(of: property) ?? 0)
    let command = "{\"command\":[\"get_property\",\"\(property)\"],\"request_id\":\(number)}\n"
    _ = command.withCString { write(socket, $0, strlen($0)) }
    var text = ""
    var buffer = [UInt8](repeating: 0, count: 4096)
    for _ in 0..<20 {
      var poller = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      guard poll(&poller, 1, 100) > 0 else { continue }
      let count = read(socket, &buffer, buffer.count)
      guard count > 0 else { return nil }
      text += String(decoding: buffer[..<count], as: UTF8.self)
      for line in text.split(separator: "\n") where line.contains("\"request_id\":\(number)") {
        guard line.contains("\"success\""), let start = line.firstRange(of: "\"data\":") else { return nil }
        return String(line[start.upperBound...].prefix { $0 != "," && $0 != "}" })
      }
    }
    return nil
  }
}
