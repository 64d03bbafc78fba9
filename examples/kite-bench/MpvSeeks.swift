import Glibc
import Kite

/// Seeks in mpv, told over its JSON socket; the time until it says that playing (paused) has begun again.
enum MpvSeeks {
  /// Nil when mpv is not there, or doesn't answer.
  static func measure(_ file: String, places: [Double]) throws -> SeekTimes? {
    let socket = "/tmp/kite-bench-\(getpid()).sock"
    defer { unlink(socket) }
    let pid: pid_t
    do throws(Child.SpawnError) {
      pid = try Child.start([
        "mpv", "--no-config", "--vo=wlshm", "--no-audio", "--hwdec=no", "--pause", "--hr-seek=yes",
        "--keep-open=yes", "--osc=no", "--geometry=1280x720", "--really-quiet",
        "--input-ipc-server=\(socket)", file,
      ])
    } catch {
      return nil
    }
    defer {
      kill(pid, SIGTERM)
      var status: Int32 = 0
      while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    }
    guard let link = connect(socket) else { return nil }
    defer { close(link) }
    var events = JSONLines(link)
    // It begins with the first picture.
    usleep(1_500_000)
    events.skip()
    var times = SeekTimes()
    for place in places {
      usleep(UInt32(SeekRun.rest) * 1000)
      events.skip()
      let command = "{\"command\":[\"seek\",\(place),\"absolute+exact\"]}\n"
      let begin = MonotonicTime.now
      _ = command.withCString { write(link, $0, strlen($0)) }
      guard events.wait(for: "\"event\":\"playback-restart\"") else { return nil }
      times.append(MonotonicTime.now - begin)
    }
    return times
  }

  private static func connect(_ path: String) -> Int32? {
    for _ in 0..<100 {
      usleep(50_000)
      let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      guard descriptor >= 0 else { return nil }
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { bytes in
        for (index, byte) in path.utf8.prefix(bytes.count - 1).enumerated() { bytes[index] = byte }
      }
      let size = socklen_t(MemoryLayout<sockaddr_un>.size)
      let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(descriptor, $0, size) }
      }
      if result == 0 { return descriptor }
      close(descriptor)
    }
    return nil
  }
}

/// Lines that come over a socket.
private struct JSONLines {
  private let descriptor: Int32
  private var rest = ""

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Lets go of all that has come.
  mutating func skip() {
    while read(within: 0) {}
    rest = ""
  }

  /// Waits for a line with `text`, at most 10 s.
  mutating func wait(for text: String) -> Bool {
    let deadline = MonotonicTime.now + 10_000_000_000
    while MonotonicTime.now < deadline {
      while let end = rest.firstIndex(of: "\n") {
        let line = rest[..<end]
        rest = String(rest[rest.index(after: end)...])
        if Self.contains(line, text) { return true }
      }
      if !read(within: 1000), isClosed { return false }
    }
    return false
  }

  private var isClosed = false

  private mutating func read(within milliseconds: Int32) -> Bool {
    var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&poller, 1, milliseconds) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    isClosed = count <= 0
    guard count > 0 else { return false }
    rest += String(decoding: buffer[..<count], as: UTF8.self)
    return true
  }

  private static func contains(_ line: Substring, _ text: String) -> Bool {
    line.withCString { line in text.withCString { strstr(line, $0) != nil } }
  }
}
