import Foundation
import KiteCore
import KiteFFmpeg
import TestMedia
import Testing

/// Seeks of a real player in real files land on the frame that `ffprobe` lists for that time.
@Suite struct ExactSeekTests {
  /// Targets a file: 200 of them take a minute.
  private static let count = ProcessInfo.processInfo.environment["KITE_LONG_TESTS"] == nil ? 12 : 200

  static let clips: [TestClip] = [
    .searchedH264, .searchedTransportStream, .searchedWithoutCues, .searchedHEVC, .searchedVP9,
    .searchedWithOneKeyframe, .variableRate, .mpeg2,
  ]

  @Test(arguments: clips)
  func aPreciseSeekLandsOnTheFrameOfThatTime(clip: TestClip) async throws {
    let url = try clip.url()
    let times = try FrameTimes.of(url).sorted()
    let end = try #require(times.last)
    let player = KitePlayer(backend: FFmpegBackend())
    defer { player.close() }
    try await player.open(MediaLocation(url.path))
    var generator = SeededGenerator(seed: 20_261_130)
    for _ in 0..<Self.count {
      // Half a millisecond off the frames' own times, which files round.
      let target = Double.random(in: 0...end, using: &generator)
      guard times.allSatisfy({ abs($0 - target) > 0.0005 }) else { continue }
      let expected = times.last { $0 <= target } ?? times[0]
      player.seek(to: MediaTime(seconds: target))
      #expect(await Self.settles(player), "\(clip) at \(target)")
      let shown = try #require(player.currentFrame()?.properties.pts).seconds
      #expect(abs(shown - expected) < 0.002, "\(clip) at \(target): \(shown), not \(expected)")
      #expect(player.state.status == .paused)
    }
  }

  @Test(arguments: [TestClip.searchedH264, .searchedTransportStream])
  func stepsGoThroughEveryFrameBothWays(clip: TestClip) async throws {
    let url = try clip.url()
    let times = try FrameTimes.of(url).sorted()
    let player = KitePlayer(backend: FFmpegBackend())
    defer { player.close() }
    try await player.open(MediaLocation(url.path))
    // Over a keyframe.
    player.seek(to: MediaTime(seconds: times[95] + 0.001))
    #expect(await Self.settles(player))
    for index in 96...104 {
      player.step(by: 1)
      #expect(await Self.shows(times[index], in: player), "forward to \(index)")
    }
    for index in (96...103).reversed() {
      player.step(by: -1)
      #expect(await Self.shows(times[index], in: player), "back to \(index)")
    }
  }

  private static func settles(_ player: KitePlayer) async -> Bool {
    for _ in 0..<6000 {
      if !player.state.isSeeking { return true }
      try? await Task.sleep(for: .milliseconds(5))
    }
    return false
  }

  private static func shows(_ seconds: Double, in player: KitePlayer) async -> Bool {
    for _ in 0..<12_000 {
      if let shown = player.currentFrame()?.properties.pts.seconds, abs(shown - seconds) < 0.002 {
        return true
      }
      try? await Task.sleep(for: .milliseconds(5))
    }
    return false
  }
}

/// The same numbers for the same seed, on every machine: SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
