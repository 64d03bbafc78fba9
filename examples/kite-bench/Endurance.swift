import Glibc
import Kite

/// `--endurance SECONDS [--stalls] FILE`: plays a file again and again in this process and looks every second whether the
/// ledger adds up and what the process holds; a row a minute. With `--stalls` the main thread sleeps 2 s twice a minute.
@MainActor
final class Endurance {
  private let seconds: Int
  private let stalls: Bool
  private let loop: MainLoop
  private let connection: Connection
  private let player = KitePlayer()
  private let window: Window
  private let view: KitePlayerView
  private var second = 0
  private var faults = 0
  private var warm: Holdings?
  private var begin = Wakeups()

  /// What the process holds, as the kernel counts it.
  struct Holdings {
    var kilobytes = 0
    var descriptors = 0
  }

  /// Sleeps that ended, over all threads that are still there.
  struct Wakeups {
    var count = 0
    var frames = 0
  }

  /// Plays `file` until the time is over; returns whether nothing was amiss.
  ///
  /// - Throws: what connecting, or opening the window, throws.
  static func run(_ file: String, seconds: Int, stalls: Bool) throws -> Bool {
    let endurance = try Endurance(seconds: seconds, stalls: stalls)
    return endurance.play(file)
  }

  private init(seconds: Int, stalls: Bool) throws {
    self.seconds = seconds
    self.stalls = stalls
    loop = try MainLoop()
    connection = try Connection.connect()
    let size = LogicalSize(width: 1280, height: 720)
    window = try Window(connection, title: "Endurance", appID: "org.example.Endurance", size: size)
    view = try KitePlayerView(in: window)
  }

  private func play(_ file: String) -> Bool {
    loop.add(connection)
    connection.onError = { [weak self] error in
      print("\(error)")
      self?.faults += 1
      self?.loop.stop()
    }
    let states = player.stateChanges()
    let following = Task { [weak self] in
      for await state in states {
        if state.status == .ended { self?.fail("the loop ended") }
        if state.status == .failed { self?.fail(state.error?.description ?? "playing failed") }
      }
    }
    player.isLooping = true
    view.player = player
    do { try window.show() } catch { fail("\(error)") }
    player.startOpening(MediaLocation(file), playsWhenReady: true)
    print("  minute  accepted presented superseded failed in-flight  amiss   RSS MB  fds  at vblank")
    tick()
    loop.run()
    following.cancel()
    report()
    view.close()
    player.close()
    window.close()
    connection.close()
    return faults == 0
  }

  private func fail(_ reason: String) {
    print(reason)
    faults += 1
    loop.stop()
  }

  private func tick() {
    let counts = view.frameCounts
    if counts.presented + counts.superseded + counts.failed + counts.inFlight != counts.accepted {
      faults += 1
    }
    // By then pools and caches are full.
    if second == min(60, seconds / 2) {
      warm = Self.holdings()
      begin = Wakeups(count: Self.wakeups(), frames: counts.presented)
    }
    if second > 0, second % 60 == 0 { row() }
    guard second < seconds else { return loop.stop() }
    if stalls, second % 30 == 15 { sleep(2) }
    second += 1
    loop.after(1_000_000_000) { [weak self] in self?.tick() }
  }

  private func row() {
    let counts = view.frameCounts
    let holdings = Self.holdings()
    let vblanks = view.diagnostics.vblanks
    let aimed = vblanks.onTime + vblanks.oneLate + vblanks.moreLate + vblanks.early
    let share = aimed == 0 ? "-" : "\((Double(vblanks.onTime) / Double(aimed) * 100_000).rounded() / 1000) %"
    let cells = [
      "\(second / 60)", "\(counts.accepted)", "\(counts.presented)", "\(counts.superseded)",
      "\(counts.failed)",
      "\(counts.inFlight)", "\(faults)", "\(holdings.kilobytes / 1024)", "\(holdings.descriptors)", share,
    ]
    let widths = [8, 10, 10, 11, 7, 10, 7, 9, 5, 11]
    print(zip(cells, widths).map { String(repeating: " ", count: max(0, $1 - $0.count)) + $0 }.joined())
    fflush(nil)
  }

  private func report() {
    guard let warm else { return }
    let now = Self.holdings()
    let counts = view.frameCounts
    let vblanks = view.diagnostics.vblanks
    print(
      "growth since the first minute: \(now.kilobytes - warm.kilobytes) KB, \(now.descriptors - warm.descriptors) fds"
    )
    let frames = counts.presented - begin.frames
    let wakeups = Double(Self.wakeups() - begin.count) / Double(max(1, frames))
    print("wake-ups per presented frame, all threads: \((wakeups * 100).rounded() / 100)")
    print(
      "vblanks: \(vblanks.onTime) at theirs, \(vblanks.oneLate) one late, \(vblanks.moreLate) later, "
        + "\(vblanks.early) early; pacing \(view.diagnostics.pacing.rawValue)")
    // Files in the page cache and allocator slack move a little; what leaks a frame moves more.
    if now.kilobytes - warm.kilobytes > 4096 || now.descriptors > warm.descriptors + 4 { faults += 1 }
    print(faults == 0 ? "nothing amiss" : "AMISS: \(faults)")
  }

  // MARK: The kernel's numbers

  private static func holdings() -> Holdings {
    let kilobytes = Kernel.field("VmRSS:", of: "/proc/self/status")
    return Holdings(kilobytes: kilobytes, descriptors: Kernel.entries(of: "/proc/self/fd").count)
  }

  private static func wakeups() -> Int {
    Kernel.entries(of: "/proc/self/task").reduce(0) {
      $0 + Kernel.field("voluntary_ctxt_switches:", of: "/proc/self/task/\($1)/status")
    }
  }
}
