import Foundation
import KiteCore
import KiteFFmpeg
import KiteSystem
import TestMedia
import Testing

extension SourceTests {
  /// Damaged files of ten formats through open, play, seek and close: nothing but typed errors, and always an end.
  ///
  /// `KITE_FUZZ_SEED` begins elsewhere, `KITE_FUZZ_COUNT` says how many; `KITE_LONG_TESTS` makes it 2,000. Each seed is
  /// printed before its turn, so that one that crashes is the last.
  @Suite struct FuzzTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let isLong = environment["KITE_LONG_TESTS"] != nil
    private static let first = environment["KITE_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1
    private static let count =
      environment["KITE_FUZZ_COUNT"].flatMap { UInt64($0) } ?? (isLong ? 2000 : 60)

    @Test func damagedFilesGiveNothingButTypedErrors() async throws {
      let originals = try TestClip.fuzzed.map { ($0.fileName, try $0.data()) }
      var outcomes: [String: Int] = [:]
      for seed in Self.first..<Self.first + Self.count {
        let (name, original) = originals[Int(seed % UInt64(originals.count))]
        FileHandle.standardError.write(Data("fuzz: seed \(seed), \(name)\n".utf8))
        var mutator = Mutator(seed: seed)
        let bytes = mutator.damaged(original)
        let outcome = await run(bytes, name: name, &mutator)
        if outcome == "hang" { Issue.record("seed \(seed), \(name): it did not come to an end") }
        outcomes[outcome, default: 0] += 1
      }
      print(
        "fuzz: \(outcomes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))"
      )
      // Damage that stops everything, or nothing, tests little.
      #expect(outcomes.count > 1 || Self.count < 20)
    }

    private func run(_ bytes: Data, name: String, _ mutator: inout Mutator) async -> String {
      let playing = Playing(sound: DeafSinks()) {
        $0.maxPixelCount = 1 << 20
        $0.threadCount = 1
      }
      let player = playing.player
      defer { player.close() }
      player.startOpening(MemoryBytes(bytes), name: name, playsWhenReady: true)
      guard await playing.waits(for: { $0.status != .opening && $0.status != .idle }) else { return "hang" }
      if let error = player.error { return "refused as \(error.kind.rawValue)" }
      for _ in 0..<3 {
        let modes: [SeekMode] = [.precise, .keyframe, .scrub]
        player.seek(to: MediaTime(seconds: Double(mutator.below(1500)) / 1000), mode: modes[mutator.below(3)])
        if mutator.below(3) == 0 { player.step(by: mutator.below(5) - 2) }
        guard await playing.waits(for: { !$0.isSeeking || $0.status == .failed }) else { return "hang" }
        player.play()
        // It plays for a moment.
        try? await Task.sleep(for: .milliseconds(mutator.below(30)))
      }
      if let error = player.error { return "failed as \(error.kind.rawValue)" }
      return "played"
    }
  }
}

/// Bytes in memory.
private final class MemoryBytes: ByteSource {
  private let data: Data
  private let offset = Locked(0)
  var size: Int64? { Int64(data.count) }

  init(_ data: Data) { self.data = data }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    offset.withLock { offset in
      let count = max(0, min(buffer.count, data.count - offset))
      if count > 0 { data[offset..<offset + count].copyBytes(to: buffer) }
      offset += count
      return count
    }
  }

  func seek(to target: Int64) throws { offset.withLock { $0 = Int(clamping: target) } }
}

/// Sinks that nobody hears: sound is decoded and let go.
struct DeafSinks: AudioSinkFactory {
  private final class Sink: AudioSink {
    let format: AudioFormat
    var status: AudioSinkStatus { .unavailable }
    var anchor: AudioAnchor? { nil }
    init(_ format: AudioFormat) { self.format = format }
    func write(_ samples: UnsafeBufferPointer<Float>) -> Int { samples.count / format.channelCount }
    func flush() {}
    func setRunning(_ isRunning: Bool) {}
    func setVolume(_ volume: Float) {}
    func close() {}
  }

  func makeSink(for format: AudioFormat) -> any AudioSink {
    Sink(AudioFormat(sampleRate: 48000, channelCount: min(format.channelCount, 8)))
  }
}
