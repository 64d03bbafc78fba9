import Glibc
import Kite

/// `--pacing SECONDS FILE…`: plays each file again and again for so long, in Kite and then in mpv, and prints what the
/// compositor said of Kite's frames, what mpv counts of its own, and how often the kernel woke each of them.
@MainActor
final class PacingRun {
  private let seconds: Int
  private let loop: MainLoop
  private let connection: Connection
  private let player = KitePlayer()
  private let window: Window
  private let view: KitePlayerView
  private var hasEnded = false
  private var threads = ThreadCounts()
  private var before = FrameLedger.Counts()

  /// Runs all files; returns whether each could be played.
  ///
  /// - Throws: what connecting, or opening the window, throws.
  static func run(_ files: [String], seconds: Int) throws -> Bool {
    var isFine = true
    for file in files {
      let name = file.split(separator: "/").last ?? ""
      print("\n\(name), \(seconds) s each; load before: \(load())")
      let run = try PacingRun(seconds: seconds)
      isFine = run.play(file) && isFine
      if let statistics = MpvStatistics(playing: file, seconds: seconds) {
        print("  mpv      \(statistics)")
      } else {
        print("  mpv      not installed, or it said nothing")
      }
      print("  load after: \(load())")
      fflush(nil)
    }
    return isFine
  }

  private init(seconds: Int) throws {
    self.seconds = seconds
    loop = try MainLoop()
    connection = try Connection.connect()
    let size = LogicalSize(width: 1280, height: 720)
    window = try Window(connection, title: "Pacing", appID: "org.example.Pacing", size: size)
    view = try KitePlayerView(in: window)
  }

  private func play(_ file: String) -> Bool {
    loop.add(connection)
    connection.onError = { [weak self] error in
      print("\(error)")
      self?.end()
    }
    player.isLooping = true
    view.player = player
    do { try window.show() } catch {
      print("\(error)")
      return false
    }
    player.startOpening(MediaLocation(file), playsWhenReady: true)
    // Steady state: vblanks are known, caches and queues are full.
    loop.after(Int64(min(3, max(1, seconds / 4))) * 1_000_000_000) { [weak self] in self?.begin() }
    loop.run()
    view.close()
    player.close()
    window.close()
    connection.close()
    return hasEnded
  }

  private func begin() {
    threads = ThreadCounts.now()
    before = view.frameCounts
    loop.after(Int64(seconds) * 1_000_000_000) { [weak self] in self?.report() }
  }

  private func report() {
    let wakeups = ThreadCounts.now() - threads
    let counts = view.frameCounts
    let shown = counts.presented - before.presented
    hasEnded = shown > 0
    let diagnostics = view.diagnostics
    let (vblanks, pace) = (diagnostics.vblanks, diagnostics.pace)
    let aimed = vblanks.onTime + vblanks.oneLate + vblanks.moreLate + vblanks.early
    let share = aimed == 0 ? "-" : Self.decimals(Double(vblanks.onTime) / Double(aimed) * 100, 3)
    print(
      """
        Kite     \(shown) shown, \(counts.superseded - before.superseded + player.statistics.droppedFrames) dropped, \
      \(counts.failed - before.failed) failed; paced \(diagnostics.pacing.rawValue)
                 \(share) % at their vblank, \(vblanks.oneLate) one late, \(vblanks.moreLate) later, \
      \(vblanks.early) early, \(pace.repeatedVblanks) vblanks repeated
                 commit to screen \(Self.decimals(Double(pace.medianLatency) / 1e6, 1)) ms, 99 % within \
      \(Self.decimals(Double(pace.longLatency) / 1e6, 1)) ms; jitter \(pace.jitter / 1000) µs; \
      cadence \(pace.cadence.isEmpty ? "-" : pace.cadence)
                 wake-ups a frame: \(wakeups.description(frames: max(1, shown)))
      """)
    end()
  }

  private func end() { loop.stop() }

  /// A number with so many decimals.
  nonisolated static func decimals(_ value: Double, _ count: Int) -> String {
    var factor = 1.0
    for _ in 0..<count { factor *= 10 }
    return "\((value * factor).rounded() / factor)"
  }

  private static func load() -> String {
    var loads = [0.0, 0, 0]
    getloadavg(&loads, 3)
    return loads.map { decimals($0, 2) }.joined(separator: " ")
  }
}
