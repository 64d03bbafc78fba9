import KiteCore
import KiteFFmpeg
import TestMedia
import Testing

@Suite struct TracksTests {
  private func open(_ clip: TestClip) throws -> any MediaSource {
    try FFmpegBackend().open(MediaLocation(clip.path()), interrupt: InterruptFlag())
  }

  @Test func tracksSayWhatTheyAre() throws {
    let source = try open(.languages)
    #expect(source.tracks.map(\.kind) == [.video, .audio, .audio])
    #expect(source.tracks.map(\.codec) == ["h264", "aac", "aac"])
    #expect(source.tracks.map(\.language) == [nil, "eng", "ger"])
    #expect(source.tracks[2].title == "Ton")
    #expect(source.tracks.map(\.isDefault) == [true, false, true])
    #expect(source.tracks[0].displaySize == PixelSize(width: 640, height: 360))
    #expect(source.tracks[0].frameRate == 30)
    #expect(abs((source.duration?.seconds ?? 0) - 2) < 0.1)
  }

  @Test func theSizeOfATrackIsTheShownOne() throws {
    #expect(try open(.sampleAspect).tracks[0].displaySize == PixelSize(width: 1024, height: 576))
    #expect(try open(.oriented(clockwise: 90)).tracks[0].displaySize == PixelSize(width: 360, height: 640))
  }

  @Test func coverArtIsNoVideo() throws {
    let source = try open(.coverArt)
    #expect(source.tracks.filter { $0.kind == .video }.map(\.isAttachedPicture) == [true])
    #expect(source.tracks.contains { $0.kind == .audio })
  }

  /// Of the second clip opening has looked at packets, for no header says when its tracks start.
  @Test(arguments: [TestClip.h264360p, .vp9WithSound])
  func onlySelectedTracksAreRead(clip: TestClip) throws {
    for wanted in [0, 1] {
      let source = try open(clip)
      source.select([wanted])
      var count = 0
      while let packet = try source.readPacket() {
        #expect(packet.trackID == wanted)
        #expect(packet.byteCount > 0)
        count += 1
      }
      #expect(count > 20)
      #expect(try source.readPacket() == nil)
    }
  }

  @Test(arguments: [
    TestClip.h264360p, .h264Matroska, .h264TransportStream, .mpeg4, .vp9, .fragmented, .lateStart,
  ])
  func seekingGoesToAKeyframeAtOrBefore(clip: TestClip) throws {
    let source = try open(clip)
    let track = try Decoding.videoTrack(of: source)
    source.select([track.id])
    let decoder = try source.makeVideoDecoder(for: track.id, options: VideoDecoderOptions(threadCount: 2))
    // Sound may start before the picture; nothing is shown before the first frame.
    let start = try Decoding.next(of: decoder, from: source).properties.pts
    #expect(start < MediaTime(seconds: 0.2))
    for seconds in [1.2, 0.1, 0.6, 0.0] {
      let target = max(MediaTime(seconds: seconds), start)
      try source.seek(to: target)
      decoder.flush()
      let first = try Decoding.next(of: decoder, from: source)
      #expect(first.properties.pts <= target, "to \(seconds)")
      #expect(target - first.properties.pts < MediaTime(seconds: 1.3), "to \(seconds)")
    }
  }

  @Test func theEndCanBeLeftBySeeking() throws {
    let source = try open(.h264360p)
    source.select([0])
    let decoder = try source.makeVideoDecoder(for: 0, options: VideoDecoderOptions())
    var count = 0
    while let packet = try source.readPacket() {
      try decoder.send(packet)
      receiving: while true {
        guard case .frame = try decoder.receive() else { break receiving }
        count += 1
      }
    }
    try decoder.send(nil)
    while case .frame = try decoder.receive() { count += 1 }
    #expect(count == 60)
    try source.seek(to: .zero)
    decoder.flush()
    #expect(try Decoding.next(of: decoder, from: source).properties.pts == .zero)
  }

  @Test func framesNoOtherNeedsAreSkippedOnDemand() throws {
    let source = try open(.h264360p)
    source.select([0])
    let decoder = try source.makeVideoDecoder(for: 0, options: VideoDecoderOptions(threadCount: 1))
    decoder.skipsNonReferenceFrames = true
    let count = try Decoding.count(of: decoder, from: source)
    #expect(count > 5)
    #expect(count < 50)
  }
}
