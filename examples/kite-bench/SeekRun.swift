import Glibc
import Kite
import Synchronization

/// `--seek FILE`: how long a precise seek takes while paused, until its picture is handed to the screen; in this process with
/// a window, and in mpv (`--hr-seek=yes`), to the same random places one after the other. `.setup/bench-seek` makes the film.
@MainActor
final class SeekRun {
  /// So many places, the same in each run.
  nonisolated static let count = 50
  /// Between two seeks, in milliseconds: nothing of the one before is under way.
  nonisolated static let rest = 150

  private let loop: MainLoop
  private let connection: Connection
  private let window: Window
  private let view: KitePlayerView
  private let player: KitePlayer

  /// Measures both players; returns whether Kite is not slower.
  ///
  /// - Throws: what connecting, opening and measuring throws.
  static func run(_ file: String) throws -> Bool {
    let run = try SeekRun()
    let (kite, duration) = try run.measure(file)
    print("  kite      \(kite)")
    guard let mpv = try MpvSeeks.measure(file, places: places(in: duration)) else {
      print("  mpv       not measured: it did not start")
      return true
    }
    print("  mpv       \(mpv)")
    return kite.median <= mpv.median
  }

  /// Places anywhere in a film of this length, in seconds.
  nonisolated static func places(in duration: Double) -> [Double] {
    var seed: UInt64 = 0x9e37_79b9_7f4a_7c15
    return (0..<count).map { _ in
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(seed >> 11) / Double(1 << 53) * (duration - 1)
    }
  }

  private init() throws {
    loop = try MainLoop()
    connection = try Connection.connect()
    let size = LogicalSize(width: 1280, height: 720)
    window = try Window(connection, title: "Seek", appID: "org.example.Seek", size: size)
    view = try KitePlayerView(in: window)
    player = KitePlayer(hardware: .off)
  }

  private func measure(_ file: String) throws -> (SeekTimes, duration: Double) {
    loop.add(connection)
    view.player = player
    try window.show()
    let result = Mutex<Result<(SeekTimes, Double), MediaError>?>(nil)
    let work = Task { [player, loop] in
      let outcome = await Self.seeks(file, player)
      result.withLock { $0 = outcome }
      loop.stop()
    }
    loop.run()
    work.cancel()
    view.close()
    player.close()
    window.close()
    loop.remove(connection)
    connection.close()
    guard let outcome = result.withLock({ $0 }) else { throw SeekError.stopped }
    let (times, duration) = try outcome.get()
    return (times, duration)
  }

  private nonisolated static func seeks(
    _ file: String, _ player: KitePlayer
  ) async -> Result<(SeekTimes, Double), MediaError> {
    do throws(MediaError) {
      try await player.open(MediaLocation(file))
    } catch {
      return .failure(error)
    }
    let duration = player.duration?.seconds ?? 0
    let arrival = Arrival()
    let observation = player.observe { state in arrival.note(state) }
    defer { observation.cancel() }
    var times = SeekTimes()
    for place in places(in: duration) {
      try? await Task.sleep(for: .milliseconds(rest))
      let begin = arrival.expect(after: player.state.version)
      player.seek(to: MediaTime(seconds: place), mode: .precise)
      while true {
        if let end = arrival.time {
          times.append(end - begin)
          break
        }
        try? await Task.sleep(for: .milliseconds(1))
      }
    }
    return .success((times, duration))
  }
}

/// Why nothing was measured.
enum SeekError: Error, CustomStringConvertible {
  case stopped
  var description: String { "the window was closed before all was measured" }
}

/// When the state came that says that the picture is there.
private final class Arrival: Sendable {
  private struct Box {
    var version = UInt64.max
    var time: MonotonicTime?
  }

  private let box = Mutex(Box())
  var time: MonotonicTime? { box.withLock { $0.time } }

  func expect(after version: UInt64) -> MonotonicTime {
    box.withLock { $0 = Box(version: version) }
    return .now
  }

  func note(_ state: PlayerState) {
    let now = MonotonicTime.now
    box.withLock { box in
      if box.time == nil, state.version > box.version, !state.isSeeking { box.time = now }
    }
  }
}

/// Durations, in nanoseconds.
struct SeekTimes: CustomStringConvertible {
  private var times: [Int64] = []

  mutating func append(_ time: Int64) { times.append(time) }

  /// The median; 0 without any.
  var median: Int64 { times.isEmpty ? 0 : times.sorted()[times.count / 2] }

  var description: String {
    func ms(_ time: Int64) -> String { "\(Double(time / 10_000) / 100) ms" }
    let sorted = times.sorted()
    guard let least = sorted.first, let most = sorted.last else { return "nothing" }
    return "median \(ms(median)) of \(times.count), least \(ms(least)), most \(ms(most))"
  }
}
