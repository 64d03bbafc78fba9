import Foundation
import KiteCore
import KiteSystem
import TestMedia
import Testing

@testable import KiteFFmpeg

/// Other threads take over in the middle of a film, and every picture comes all the same, once.
@Suite struct ThreadChangeTests {
  /// What the one thread is said to have worked, in nanoseconds, grows by `cost` with each call.
  private final class Clock: Sendable {
    private let state = Locked<(time: Int64, cost: Int64)>((0, 0))
    func set(cost: Int64) { state.withLock { $0.cost = cost } }
    func tick() -> Int64 {
      state.withLock { state in
        state.time += state.cost
        return state.time
      }
    }
  }

  /// A decoder of the film at `path` that may use three threads, and its source.
  private func open(_ path: String) throws -> (source: any MediaSource, decoder: FFmpegVideoDecoder) {
    let source = try FFmpegBackend().open(MediaLocation(path), interrupt: InterruptFlag())
    let track = try Decoding.videoTrack(of: source)
    source.select([track.id])
    let made = try source.makeVideoDecoder(
      for: track.id, options: VideoDecoderOptions(pool: FramePool(limit: 32), threadCount: 0))
    let decoder = try #require(made as? FFmpegVideoDecoder)
    decoder.threads = DecoderThreads(limit: 3, frameDuration: 40_000_000)
    return (source, decoder)
  }

  /// Takes what comes out, up to `limit` pictures in `hashes`. Whether that was the end.
  private func receive(_ decoder: FFmpegVideoDecoder, into hashes: inout [String], limit: Int = .max) throws
    -> Bool
  {
    while hashes.count < limit {
      switch try decoder.receive() {
      case .frame(let frame): hashes.append(Decoding.look(at: frame, hashing: true).md5)
      case .needsInput: return false
      case .ended: return true
      }
    }
    return false
  }

  /// Decodes all of `path`, with the cost that `cost` says after so many frames; tells the thread counts along the way.
  ///
  /// - Parameter hurries: whether packets are sent on while others are about to take over, as where one was damaged.
  private func decode(_ path: String, hurries: Bool = false, cost: (Int) -> Int64) throws -> (
    hashes: [String], counts: [Int]
  ) {
    let (source, decoder) = try open(path)
    let clock = Clock()
    decoder.threadClock = clock.tick
    var hashes: [String] = []
    var counts = [decoder.threads.count]
    while true {
      clock.set(cost: cost(hashes.count))
      try decoder.send(try source.readPacket())
      for _ in 0..<5 where hurries && decoder.held != nil { try decoder.send(try source.readPacket()) }
      if try receive(decoder, into: &hashes) { return (hashes, counts) }
      if counts.last != decoder.threads.count { counts.append(decoder.threads.count) }
    }
  }

  @Test(arguments: CodecCase.all)
  func moreTakeOverWhereOneIsSlow(codec: CodecCase) throws {
    let url = try codec.clip.url()
    let (hashes, counts) = try decode(url.path) { _ in 50_000_000 }
    #expect(hashes == (try FrameHashes.of(url)))
    #expect(counts == [1, 3])
  }

  /// Only streams without times wait for a keyframe, those of Motion JPEG have nothing else.
  @Test(arguments: [TestClip.mjpeg, .h264Elementary])
  func packetsThatComeBeforeTheOthersHaveBegunAreNotLost(clip: TestClip) throws {
    let url = try clip.url()
    let (hashes, counts) = try decode(url.path, hurries: true) { _ in 50_000_000 }
    #expect(hashes == (try FrameHashes.of(url)))
    #expect(counts == [1, 3])
  }

  @Test(arguments: CodecCase.all)
  func oneIsEnoughWhereItIsFast(codec: CodecCase) throws {
    let url = try codec.clip.url()
    let (hashes, counts) = try decode(url.path) { _ in 1000 }
    #expect(hashes == (try FrameHashes.of(url)))
    #expect(counts == [1])
  }

  @Test(arguments: [TestClip.h264360p, .hevc, .vp9])
  func oneTakesOverAgainAtAKeyframeThatClosesThePast(clip: TestClip) throws {
    let url = try clip.url()
    let (source, decoder) = try open(url.path)
    decoder.threadClock = { 0 }
    let expected = try FrameHashes.of(url).prefix(12)
    // Again and again from the middle back to the start.
    var sawOne = false
    for round in 0..<8 {
      var hashes: [String] = []
      while hashes.count < expected.count {
        try decoder.send(try source.readPacket())
        if try receive(decoder, into: &hashes, limit: expected.count) {
          Issue.record("it ended after \(hashes.count) pictures")
          return
        }
        if round > 0, decoder.threads.count == 1 { sawOne = true }
      }
      #expect(hashes[...] == expected[...], "round \(round)")
      try source.seek(to: .zero)
      decoder.flush()
      if round == 0 { #expect(decoder.threads.count == 3) }
    }
    #expect(sawOne)
  }
}

@Suite struct KeyframeKindTests {
  private func behindStartCodes(_ bytes: [UInt8]) -> [UInt8] {
    bytes.withUnsafeBufferPointer { KeyframeKind.unitsBehindStartCodes($0) }
  }

  private func behindLengths(_ bytes: [UInt8], _ size: Int) -> [UInt8] {
    bytes.withUnsafeBufferPointer { KeyframeKind.units($0, lengthSize: size) }
  }

  @Test func unitsAreFoundBehindStartCodes() {
    #expect(behindStartCodes([0, 0, 0, 1, 0x67, 9, 0, 0, 1, 0x65, 1, 0, 0, 2]) == [0x67, 0x65])
    #expect(behindStartCodes([]) == [] && behindStartCodes([0, 0, 1]) == [])
  }

  @Test func unitsAreFoundBehindLengths() {
    #expect(behindLengths([0, 0, 0, 2, 0x67, 1, 0, 0, 0, 1, 0x65], 4) == [0x67, 0x65])
    #expect(behindLengths([2, 0x41, 1, 1, 0x65], 1) == [0x41, 0x65])
  }

  @Test(
    arguments: [
      [0, 0, 0, 0, 1], [0xff, 0xff, 0xff, 0xff, 0x65], [0, 0, 0, 9, 0x65], [0, 0, 0],
    ] as [[UInt8]])
  func damagedLengthsEndIt(bytes: [UInt8]) {
    #expect(behindLengths(bytes, 4) == [])
  }
}
