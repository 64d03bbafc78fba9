import Foundation
import KiteCore
import KiteFFmpeg
import KiteSystem
import TestMedia
import Testing

@Suite struct BadInputTests {
  /// The error of opening `path`; nil when it opens.
  private func failure(_ path: String, options: FFmpegBackend.Options = .init()) -> MediaError? {
    do throws(MediaError) {
      _ = try FFmpegBackend(options: options).open(MediaLocation(path), interrupt: InterruptFlag())
      return nil
    } catch { return error }
  }

  private func expectOneClearLine(_ error: MediaError?, _ kind: MediaError.Kind, path: String) throws {
    let error = try #require(error)
    #expect(error.kind == kind, "\(error)")
    #expect(error.subject == path)
    #expect(!error.reason.isEmpty)
    #expect(!error.description.contains("\n"))
    #expect(error.description.count < 220)
  }

  @Test func whatIsNoMediaSaysSo() throws {
    let place = try TestPlace()
    for clip in [TestClip.empty, .noise(), .prose, .truncatedWithoutIndex] {
      let path = try clip.path()
      try expectOneClearLine(failure(path), .notMedia, path: path)
    }
    try expectOneClearLine(failure(place.folder.path), .notMedia, path: place.folder.path)
    let lost = try TestClip.truncatedWithoutIndex.path()
    #expect(try #require(failure(lost)).reason.contains("incomplete"))
  }

  @Test(arguments: 10..<40 as Range<UInt64>)
  func noiseOfAnyKindIsRefused(seed: UInt64) throws {
    let path = try TestClip.noise(seed: seed).path()
    guard let error = failure(path) else {
      // Some noise looks like a container; then it must at least end.
      var errors: [MediaError] = []
      _ = try? Decoding.frames(of: path, hashing: false, limit: 10, errors: &errors)
      return
    }
    try expectOneClearLine(error, .notMedia, path: path)
  }

  @Test func whatIsMissingSaysSo() throws {
    for path in ["/nowhere/film.mp4", "film that is not here.mp4", "a:b.mp4", "-x.mp4", ""] {
      try expectOneClearLine(failure(path), .notFound, path: path)
    }
    try expectOneClearLine(failure("gopherish://host/x"), .unsupported, path: "gopherish://host/x")
  }

  @Test func whatMayNotBeReadSaysSo() async throws {
    let place = try TestPlace()
    let path = try place.forbidden(.h264360p)
    // Root may read everything: the kernel is asked to judge this one thread as somebody else.
    _ = chmod(place.folder.path, 0o755)
    let error = await withCheckedContinuation { (continuation: CheckedContinuation<MediaError?, Never>) in
      Thread.detachNewThread {
        if getuid() == 0 { Self.becomeNobodyForFiles() }
        continuation.resume(returning: failure(path))
      }
    }
    try expectOneClearLine(error, .notPermitted, path: path)
  }

  /// setfsuid(2), which Glibc's module doesn't have: the calling thread's file accesses count as nobody's.
  private static func becomeNobodyForFiles() {
    typealias Function = @convention(c) (UInt32) -> Int32
    guard let symbol = dlsym(nil, "setfsuid") else { return }
    _ = unsafeBitCast(symbol, to: Function.self)(65534)
  }

  @Test func namesThatLookLikeAddressesAreFilesWhenTheyExist() throws {
    let place = try TestPlace()
    for name in ["a:b.mp4", "-x.mp4", "http:", "100%25.mp4", "spaß im schnee.mp4", "%03d.mp4"] {
      let path = try place.copy(of: .h264360p, named: name)
      #expect(failure(path) == nil, "\(name)")
    }
    let file = try place.copy(of: .h264360p, named: "with space.mp4")
    #expect(failure("file://" + file.replacingOccurrences(of: " ", with: "%20")) == nil)
  }

  @Test func aSilentPipeEndsByItself() throws {
    let place = try TestPlace()
    let path = try place.fifo()
    var options = FFmpegBackend.Options()
    options.pipeTimeout = MediaTime(seconds: 0.2)
    try expectOneClearLine(failure(path, options: options), .unreadable, path: path)
  }

  @Test(.timeLimit(.minutes(1))) func aSilentPipeCanBeInterrupted() async throws {
    let place = try TestPlace()
    let path = try place.fifo()
    let interrupt = InterruptFlag()
    let error = await withCheckedContinuation { (continuation: CheckedContinuation<MediaError?, Never>) in
      Thread.detachNewThread {
        do throws(MediaError) {
          _ = try FFmpegBackend().open(MediaLocation(path), interrupt: interrupt)
          continuation.resume(returning: nil)
        } catch { continuation.resume(returning: error) }
      }
      Thread.detachNewThread {
        Thread.sleep(forTimeInterval: 0.1)
        interrupt.set()
      }
    }
    #expect(error?.kind == .cancelled)
  }

  @Test(.timeLimit(.minutes(1))) func aPipeThatSpeaksPlays() async throws {
    let place = try TestPlace()
    let path = try place.fifo("pipe.ts")
    let clip = try TestClip.h264TransportStream.url()
    let expected = try FrameHashes.of(clip)
    Thread.detachNewThread {
      guard let data = FileManager.default.contents(atPath: clip.path) else { return }
      let writer = FileHandle(forWritingAtPath: path)
      try? writer?.write(contentsOf: data)
      try? writer?.close()
    }
    #expect(try Decoding.frames(of: path).map(\.md5) == expected)
  }

  @Test func aClosedSourceStaysClosed() throws {
    let interrupt = InterruptFlag()
    let source = try FFmpegBackend().open(
      MediaLocation(TestClip.h264360p.path()), interrupt: interrupt)
    interrupt.set()
    #expect(throws: MediaError.self) { _ = try source.readPacket() }
    #expect(throws: MediaError.self) {
      _ = try FFmpegBackend().open(MediaLocation("/nowhere"), interrupt: interrupt)
    }
  }

  @Test func truncatedAndCorruptFilesGivePictures() throws {
    for clip in [TestClip.truncated, .corrupt] {
      for threads in [1, 2] {
        var errors: [MediaError] = []
        let frames = try Decoding.frames(
          of: clip.path(), threads: threads, pool: FramePool(limit: 32), hashing: false, errors: &errors)
        #expect(frames.count > 10, "\(clip.fileName)")
        #expect(errors.allSatisfy { $0.kind == .decoding })
      }
    }
  }

  @Test func absurdSizesAreRefused() throws {
    let source = try FFmpegBackend().open(
      MediaLocation(TestClip.absurdSize.path()), interrupt: InterruptFlag())
    let error = #expect(throws: MediaError.self) {
      _ = try source.makeVideoDecoder(for: 0, options: VideoDecoderOptions())
    }
    #expect(error?.kind == .unsupported)

    var errors: [MediaError] = []
    let frames = try? Decoding.frames(of: TestClip.absurdPicture.path(), hashing: false, errors: &errors)
    #expect((frames ?? []).isEmpty)
  }

  @Test func audioAloneHasNoVideoTrack() throws {
    let source = try FFmpegBackend().open(
      MediaLocation(TestClip.audioOnly.path()), interrupt: InterruptFlag())
    #expect(source.tracks.map(\.kind) == [.audio])
    let error = #expect(throws: MediaError.self) {
      _ = try source.makeVideoDecoder(for: 0, options: VideoDecoderOptions())
    }
    #expect(error?.kind == .noStreams)
  }

  @Test func foreignPacketsAreRefused() throws {
    final class Foreign: MediaPacket {
      let trackID = 0
      let pts: MediaTime? = nil
      let byteCount = 10
      let isKeyframe = true
    }
    let source = try FFmpegBackend().open(
      MediaLocation(TestClip.h264360p.path()), interrupt: InterruptFlag())
    let decoder = try source.makeVideoDecoder(for: 0, options: VideoDecoderOptions())
    #expect(throws: MediaError.self) { try decoder.send(Foreign()) }
  }

  @Test func noDescriptorStaysOpen() throws {
    // A place of its own: other tests of this process open files at the same time.
    let place = try TestPlace()
    let film = try place.copy(of: .h264360p, named: "film.mp4")
    let bad = [
      try place.copy(of: .noise(), named: "noise"),
      try place.copy(of: .truncatedWithoutIndex, named: "half.mp4"),
      place.folder.path,
    ]
    func descriptors() throws -> Int {
      let folder = "/proc/self/fd/"
      return try FileManager.default.contentsOfDirectory(atPath: folder).count { name in
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: folder + name)
        return target?.contains(place.folder.lastPathComponent) ?? false
      }
    }
    for _ in 0..<3 {
      for path in bad { #expect(failure(path) != nil) }
      _ = try Decoding.frames(of: film, threads: 2, pool: FramePool(limit: 32), hashing: false, limit: 5)
    }
    let count = try descriptors()
    #expect(count == 0)
  }
}
