import Glibc
import KiteSystem
import Synchronization
import Testing

@testable import KiteCore

/// One after the other: there is one log.
@Suite(.serialized) final class LogTests {
  /// Held against the tests of FFmpeg's log, which are in the same process.
  private let lock: Int32

  init() {
    lock = open("/tmp/kite-log-tests-\(getpid()).lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    flock(lock, LOCK_EX)
  }

  deinit {
    KiteLog.stop()
    close(lock)
  }

  /// What is said about one subject; other suites have theirs to say meanwhile.
  private final class Record: Sendable {
    private let lines = Locked<[LogEntry]>([])
    func take(_ entry: LogEntry) { lines.withLock { $0.append(entry) } }
    func about(_ subject: String) -> [LogEntry] {
      lines.withLock { $0.filter { $0.subject == subject } }
    }
  }

  private static func play(_ name: MediaLocation, _ media: FakeMedia) {
    let simulation = Simulation(media)
    simulation.backend[name] = media
    simulation.player.startOpening(name, playsWhenReady: true)
    simulation.rest()
    simulation.pass { simulation.player.status == .ended || simulation.player.status == .failed }
  }

  @Test func oneSinkHearsWhatHappens() {
    let record = Record()
    KiteLog.send(from: .debug) { record.take($0) }
    Self.play("an evening's film", .video(count: 10) { $1.isDamaged = $0 == 3 })
    let lines = record.about("an evening's film")
    #expect(lines.map(\.message).first?.hasPrefix("is open: fake") == true)
    #expect(lines.map(\.level) == [.info, .debug, .info])
    #expect(lines.map(\.subsystem) == [.engine, .engine, .engine])
    #expect(lines.last?.message == "is ended at 0.4 s")
    let damage = record.about("fake").first
    #expect(damage?.level == .warning && damage?.subsystem == .decoder)
  }

  @Test func aFailureIsAnErrorInTheLogToo() {
    let record = Record()
    KiteLog.send(from: .error) { record.take($0) }
    var media = FakeMedia.video(count: 3)
    media.readError = MediaError(
      kind: .unreadable, subject: "a torn film", reason: "broke", advice: "Mend it.")
    Self.play("a torn film", media)
    let lines = record.about("a torn film")
    #expect(lines.map(\.level) == [.error])
    #expect(lines.first?.message == "broke. Mend it.")
  }

  @Test func belowTheLevelNothingIsMade() {
    let made = Atomic(0)
    func message() -> String {
      made.add(1, ordering: .relaxed)
      return "made"
    }
    KiteLog.log(.error, .engine, "nobody", message())
    KiteLog.send(from: .warning) { _ in }
    KiteLog.log(.info, .engine, "somebody", message())
    #expect(made.load(ordering: .relaxed) == 0)
    KiteLog.log(.warning, .engine, "somebody", message())
    #expect(made.load(ordering: .relaxed) == 1)
  }

  @Test func aSinkMayAskThePlayer() {
    let simulation = Simulation(.video(count: 5))
    let statuses = Locked<[PlaybackStatus]>([])
    simulation.backend["asking"] = .video(count: 5)
    KiteLog.send(from: .debug) { [player = simulation.player] entry in
      guard entry.subject == "asking" else { return }
      // No lock is held.
      let status = player.state.status
      _ = player.position
      statuses.withLock { $0.append(status) }
    }
    simulation.player.startOpening("asking", playsWhenReady: true)
    simulation.rest()
    simulation.pass { simulation.player.status == .ended }
    let heard = statuses.withLock { $0 }
    #expect(heard.count == 3)
  }
}
