import Foundation
import KiteCore
import KiteFFmpeg
import KiteSystem
import TestMedia
import TestServer
import Testing

extension SourceTests {
  /// What FFmpeg and its sources say goes to the one log.
  @Suite final class LibraryLogTests {
    /// Held against the tests of the log itself, which are in the same process.
    private let lock: Int32
    private let lines = LogLines()

    init() {
      lock = open("/tmp/kite-log-tests-\(getpid()).lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      flock(lock, LOCK_EX)
      KiteLog.send(from: .warning) { [lines] entry in lines.append(entry) }
    }

    deinit {
      KiteLog.stop()
      close(lock)
    }

    @Test func whatFFmpegSaysComesThroughWithoutPrefixOrNewline() async throws {
      let place = try TestPlace()
      let path = try place.copy(of: .truncatedWithoutIndex, named: "log.mp4")
      await #expect(throws: MediaError.self) { try await Playing().player.open(MediaLocation(path)) }
      let line = lines.all.first { $0.subsystem == .library && $0.message == "moov atom not found" }
      #expect(line?.level == .warning)
      #expect(line?.subject.contains("mov") == true)
      #expect(lines.all.contains { $0.subject == path && $0.level == .error && $0.subsystem == .engine })
    }

    @Test func aConnectionMadeAgainIsAWarning() async throws {
      let server = try WebServer()
      var answer = Answer(try TestClip.served.data())
      answer.breaks = (60_000, times: 1)
      server["/film"] = answer
      let address = server.address("/film")
      let playing = Playing { $0.reconnectPause = MediaTime(seconds: 0.01) }
      try await playing.player.open(MediaLocation(address), playsWhenReady: true)
      #expect(await playing.waitsForEnd())
      #expect(playing.player.status == .ended)
      let warnings = lines.all.filter { $0.subject == address && $0.subsystem == .source }
      #expect(warnings.first?.level == .warning)
      #expect(warnings.first?.message.hasPrefix("connects again at byte ") == true)
    }
  }
}

private final class LogLines: Sendable {
  private let box = Locked<[LogEntry]>([])
  var all: [LogEntry] { box.withLock { $0 } }
  func append(_ entry: LogEntry) { box.withLock { $0.append(entry) } }
}
