import Foundation
import KiteCore
import KiteFFmpeg
import KiteSystem
import TestMedia
import TestServer
import Testing

/// Bytes in memory, given as it is told.
private final class ScriptedBytes: ByteSource {
  struct Script: Sendable {
    var data = Data()
    /// What it says of its size; nil: the truth.
    var claimedSize: Int64?
    var hidesSize = false
    var isSeekable = true
    /// Bytes at most that one read gives.
    var most = Int.max
    /// Reading from this offset on throws, or hangs.
    var throwsAt = Int.max
    var hangsAt = Int.max
    /// What a read from there says of itself instead of the truth.
    var lie: (offset: Int, count: Int)?
    var heedsCancel = true
    var seeksFail = false
  }

  struct Oddity: Error {}

  private struct State {
    var offset = 0
    var cancels = 0
  }

  let script: Script
  let gate = ServerGate()
  private let state = Locked(State())
  private let isHanging = ServerGate()
  var hangs: Bool { isHanging.isOpen }
  var cancels: Int { state.withLock { $0.cancels } }

  init(_ clip: TestClip = .servedMP4, _ change: (inout Script) -> Void = { _ in }) throws {
    var script = Script(data: try clip.data())
    change(&script)
    self.script = script
  }

  var size: Int64? { script.hidesSize ? nil : script.claimedSize ?? Int64(script.data.count) }
  var isSeekable: Bool { script.isSeekable }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    let offset = state.withLock { $0.offset }
    if offset >= script.throwsAt { throw Oddity() }
    if offset >= script.hangsAt {
      isHanging.open()
      while !gate.isOpen {
        if script.heedsCancel, cancels > 0 { throw Oddity() }
        usleep(1000)
      }
    }
    if let lie = script.lie, offset >= lie.offset { return lie.count }
    let end = min(script.data.count, script.throwsAt, script.hangsAt > offset ? script.hangsAt : .max)
    let count = max(0, min(buffer.count, script.most, end - offset))
    if count > 0 { script.data[offset..<offset + count].copyBytes(to: buffer) }
    state.withLock { $0.offset += count }
    return count
  }

  func seek(to offset: Int64) throws {
    if script.seeksFail { throw Oddity() }
    state.withLock { $0.offset = Int(offset) }
  }

  func cancel() { state.withLock { $0.cancels += 1 } }
}

extension SourceTests {
  /// What an app gives, well or badly.
  @Suite struct ByteSourceTests {
    private func play(_ bytes: ScriptedBytes, _ playing: Playing = Playing()) async throws -> Playing {
      try await playing.player.open(bytes, name: "blob.mp4", playsWhenReady: true)
      #expect(await playing.waitsForEnd())
      return playing
    }

    @Test func bytesPlayAndCanBeSearched() async throws {
      let playing = try await play(ScriptedBytes())
      #expect(playing.course == [.idle, .opening, .playing, .ended])
      #expect(playing.isPlayed(75))
      playing.player.seek(to: MediaTime(seconds: 1.5))
      #expect(await playing.waits { $0.status == .paused && !$0.isSeeking })
      #expect(playing.player.currentFrame()?.properties.pts == MediaTime(seconds: 1.48))
    }

    @Test(arguments: [1000, 7]) func shortReadsAreReads(most: Int) async throws {
      let playing = try await play(ScriptedBytes { $0.most = most })
      #expect(playing.isPlayed(75))
    }

    @Test(arguments: [TestClip.servedMP4, .served, .servedTS])
    func withoutSizeAndSearchItPlays(clip: TestClip) async throws {
      let bytes = try ScriptedBytes(clip) {
        $0.hidesSize = true
        $0.isSeekable = false
      }
      let playing = try await play(bytes)
      #expect(playing.isPlayed(75))
      #expect(playing.player.error == nil)
      #expect(!playing.player.state.isSeekable)
    }

    @Test(
      arguments: [0, 5000, .max] as [Int64], [TestClip.servedMP4, .servedTS])
    func aLieAboutTheSizeIsNoHarm(size: Int64, clip: TestClip) async throws {
      let bytes = try ScriptedBytes(clip) { $0.claimedSize = size }
      // It plays, or says why not.
      let playing = Playing()
      try? await playing.player.open(bytes, name: "blob", playsWhenReady: true)
      #expect(await playing.waitsForEnd())
    }

    @Test func whatItThrowsIsTheError() async throws {
      let playing = try await play(ScriptedBytes { $0.throwsAt = 100_000 })
      #expect(playing.course == [.idle, .opening, .playing, .failed])
      let error = try #require(playing.player.error)
      #expect(error.kind == .unreadable && error.subject == "blob.mp4")
      #expect(error.reason.contains("Oddity"))
      #expect(playing.player.statistics.decodedFrames > 10)

      let early = await #expect(throws: MediaError.self) {
        _ = try await play(ScriptedBytes { $0.throwsAt = 0 })
      }
      #expect(early?.reason.contains("Oddity") == true)
    }

    @Test(arguments: [Int.max, -1]) func aCountThatCannotBeIsAnError(count: Int) async throws {
      let playing = try await play(ScriptedBytes { $0.lie = (100_000, count) })
      #expect(playing.player.error?.kind == .unreadable)
      #expect(playing.player.error?.reason.contains("\(count)") == true)
    }

    @Test func seeksThatFailLeaveItPlaying() async throws {
      let bytes = try ScriptedBytes { $0.seeksFail = true }
      let playing = Playing()
      try? await playing.player.open(bytes, name: "blob.mp4", playsWhenReady: true)
      playing.player.seek(to: MediaTime(seconds: 2))
      #expect(await playing.waits { !$0.isSeeking && $0.status != .opening })
    }

    @Test(arguments: [true, false], [0, 100_000])
    func closeReturnsWhileItHangs(heedsCancel: Bool, offset: Int) async throws {
      var bytes: ScriptedBytes? = try ScriptedBytes {
        $0.hangsAt = offset
        $0.heedsCancel = heedsCancel
      }
      weak let weakBytes = bytes
      let gate = try #require(bytes?.gate)
      let playing = Playing()
      if let bytes { playing.player.startOpening(bytes, name: "blob.mp4", playsWhenReady: true) }
      #expect(await eventually { bytes?.hangs == true })
      playing.player.close()
      #expect(playing.player.status == .idle)
      #expect(!gate.isOpen)
      #expect(bytes?.cancels == 1)
      bytes = nil
      // Who doesn't heed is kept until it returns.
      if !heedsCancel { gate.open() }
      #expect(await eventually { weakBytes == nil })
    }

    @Test func bytesLeadNowhereElse() async throws {
      let list = try ScriptedBytes {
        let path = (try? TestClip.servedTS.path()) ?? ""
        $0.data = Data("#EXTM3U\n#EXT-X-TARGETDURATION:3\n#EXTINF:3,\nfile://\(path)\n#EXT-X-ENDLIST\n".utf8)
      }
      let playing = Playing()
      await #expect(throws: MediaError.self) {
        try await playing.player.open(list, name: "list.m3u8")
      }
    }
  }
}
