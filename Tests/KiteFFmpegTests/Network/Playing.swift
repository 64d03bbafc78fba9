import Foundation
import KiteCore
import KiteFFmpeg
import KiteSystem
import TestMedia
import TestServer
import Testing

/// One after the other: each has sockets, files and threads, and other tests count those of the process.
@Suite(.serialized) enum SourceTests {}

/// A player of FFmpeg's sources, four times as fast as usual, that shows nobody; and all that it said of itself.
final class Playing: Sendable {
  let player: KitePlayer
  private let log = StateRecord()
  private let observation: StateObservation

  init(
    sound: (any AudioSinkFactory)? = nil, configuration: PlayerConfiguration = PlayerConfiguration(),
    _ change: (inout FFmpegBackend.Options) -> Void = { _ in }
  ) {
    var options = FFmpegBackend.Options()
    options.hardware = .off
    // On a busy machine a test may not get its turn for a minute.
    options.networkTimeout = MediaTime(seconds: 600)
    change(&options)
    player = KitePlayer(
      backend: FFmpegBackend(options: options), sinks: sound, configuration: configuration)
    player.rate = 4
    let log = log
    observation = player.observe { state in log.append(state) }
  }

  deinit { player.close() }

  /// What was said, without what only repeats the status before.
  var statuses: [PlaybackStatus] {
    log.states.map(\.status).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  /// The same without waits for data, which a busy machine may add anywhere.
  var course: [PlaybackStatus] {
    statuses.filter { $0 != .buffering }.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  /// Whether most of the film's pictures were decoded. Not all: who is late on a busy machine skips some.
  func isPlayed(_ count: Int) -> Bool { player.statistics.decodedFrames > count / 2 }

  /// Waits until the player has said so. Leaves its thread to other tests meanwhile.
  func waits(for condition: @Sendable (PlayerState) -> Bool) async -> Bool {
    await eventually { log.states.last.map(condition) ?? false }
  }

  /// Waits until nothing more is going to happen.
  func waitsForEnd() async -> Bool { await waits { $0.status == .ended || $0.status == .failed } }
}

/// States, in order.
private final class StateRecord: Sendable {
  private let box = Locked<[PlayerState]>([])
  var states: [PlayerState] { box.withLock { $0 } }
  func append(_ state: PlayerState) { box.withLock { $0.append(state) } }
}

/// Waits in real time for what other threads do, at most 30 s in which the test has its turns.
func eventually(_ condition: () -> Bool) async -> Bool {
  for _ in 0..<15_000 {
    if condition() { return true }
    try? await Task.sleep(for: .milliseconds(2))
  }
  return condition()
}

extension TestClip {
  func data() throws -> Data { try Data(contentsOf: url()) }
}
