import Glibc

/// A program that was run to its end, and what it cost.
struct Child {
  /// CPU time of all its threads, user and system, in nanoseconds.
  let cpu: Int64
  /// Largest resident size, in bytes; shared memory counts.
  let peakMemory: Int
  /// From exec to exit, in nanoseconds.
  let elapsed: Int64
  /// Its exit code; 128 and more for a signal.
  let status: Int32
  /// What it used while it was in its stride; not complete where it ended before.
  let steady: SteadyAccount

  /// Why a program could not be run.
  struct SpawnError: Error, CustomStringConvertible {
    let program: String
    let code: Int32
    var description: String { "\(program): \(String(cString: strerror(code)))" }
  }

  /// Runs `arguments` (found by PATH) to its end, at most `limit` seconds, and hands each line of its standard error
  /// to `line` with the nanoseconds since exec.
  static func run(
    _ arguments: [String], environment: [String: String] = [:], limit: Int = 120,
    line: (Substring, Int64) -> Void = { _, _ in }
  ) throws(SpawnError) -> Child {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw SpawnError(program: arguments[0], code: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let start = Self.now
    let pid: pid_t
    do throws(SpawnError) {
      pid = try spawn(arguments, environment: environment, standardError: ends[1])
    } catch {
      close(ends[0])
      close(ends[1])
      throw error
    }
    close(ends[1])
    var steady = SteadyAccount()
    read(ends[0], from: start, limit: Int64(limit) * 1_000_000_000, of: pid, steady: &steady, line: line)
    close(ends[0])
    var status: Int32 = 0
    var usage = rusage()
    while wait4(pid, &status, 0, &usage) < 0, errno == EINTR {}
    let signal = status & 0x7f
    return Child(
      cpu: nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime), peakMemory: usage.ru_maxrss * 1024,
      elapsed: Self.now - start, status: signal == 0 ? (status >> 8) & 0xff : 128 + signal,
      steady: steady)
  }

  /// Starts `arguments` (found by PATH) with its output thrown away. The caller waits for it.
  static func start(_ arguments: [String]) throws(SpawnError) -> pid_t {
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { close(nowhere) }
    return try spawn(arguments, environment: [:], standardError: nowhere)
  }

  private static func spawn(
    _ arguments: [String], environment: [String: String], standardError: Int32
  ) throws(SpawnError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, standardError, 2)
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    words.append(nil)
    var variables = inherited(except: environment.keys)
    for (name, value) in environment { variables.append(strdup("\(name)=\(value)")) }
    variables.append(nil)
    defer { for word in words + variables { free(word) } }
    var pid = pid_t()
    let code = posix_spawnp(&pid, arguments[0], &actions, nil, words, variables)
    guard code == 0 else { throw SpawnError(program: arguments[0], code: code) }
    return pid
  }

  private static func inherited(
    except names: some Collection<String>
  ) -> [UnsafeMutablePointer<CChar>?] {
    var result: [UnsafeMutablePointer<CChar>?] = []
    var entry = environ
    while let variable = entry.pointee {
      let text = String(cString: variable)
      if !names.contains(where: { text.hasPrefix($0 + "=") }) { result.append(strdup(text)) }
      entry += 1
    }
    return result
  }

  /// Reads to the end of the pipe and looks at the threads meanwhile; ends the program when the time is over.
  private static func read(
    _ descriptor: Int32, from start: Int64, limit: Int64, of pid: pid_t, steady: inout SteadyAccount,
    line: (Substring, Int64) -> Void
  ) {
    var rest = ""
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let elapsed = now - start
      guard elapsed < limit else {
        kill(pid, SIGKILL)
        return
      }
      if let look = steady.nextLook, elapsed >= look { steady.look(at: pid) }
      let wake = min(limit, steady.nextLook ?? limit)
      var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&poller, 1, Int32(clamping: (wake - elapsed + 999_999) / 1_000_000)) == 0 { continue }
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return }
      let time = now - start
      rest += String(decoding: buffer[..<count], as: UTF8.self)
      while let end = rest.firstIndex(of: "\n") {
        line(rest[..<end], time)
        rest = String(rest[rest.index(after: end)...])
      }
    }
  }

  private static func nanoseconds(_ time: timeval) -> Int64 {
    Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_usec) * 1000
  }

  /// The monotonic clock, in nanoseconds.
  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
