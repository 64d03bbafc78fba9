import KiteCore
import KiteFFmpeg
import TestMedia
import Testing

@Suite struct AudioDecoderTests {
  @Test(arguments: TestClip.sounds, [1, 2, 6, 8])
  func samplesAreThoseOfTheFFmpegCommand(clip: TestClip, channels: Int) throws {
    let path = try clip.path()
    let expected = try TestClip.referenceSamples(of: path, channels: channels, rate: 48000)
    var decoding = try SoundDecoding(
      path, format: AudioFormat(sampleRate: 48000, channelCount: channels))
    let samples = try decoding.all().flatMap(\.samples)
    #expect(decoding.warnings == 0)
    #expect(samples.count == expected.count)
    let worst = zip(samples, expected).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
    // One bit of 16: the command converts through the same library, but in other portions.
    #expect(worst < 1 / 32768)
  }

  @Test(arguments: TestClip.sounds)
  func timesFollowFromTheSamples(clip: TestClip) throws {
    var decoding = try SoundDecoding(try clip.path(), format: AudioFormat(sampleRate: 48000, channelCount: 2))
    #expect(decoding.track.audioFormat != nil)
    var frames = 0
    var first: MediaTime?
    for samples in try decoding.all() {
      let start = first ?? samples.pts
      first = start
      let expected = Double(frames) / 48000
      #expect(abs((samples.pts - start).seconds - expected) < 0.0015, "\(frames)")
      frames += samples.frameCount
    }
    // Where the container says when sound begins, it begins there: 25 ms are an MP3 decoder's own delay.
    #expect(abs((first ?? .unknown).seconds) < 0.03)
  }

  @Test(arguments: [0.25, 0.5, 0.75, 1.5, 2, 4])
  func anotherSpeedKeepsThePitch(rate: Double) throws {
    let path = try TestClip.h264360p.path()
    var decoding = try SoundDecoding(path, format: AudioFormat(sampleRate: 48000, channelCount: 1))
    decoding.decoder.rate = rate
    let chunks = try decoding.all()
    let samples = chunks.flatMap(\.samples)
    #expect(abs(Double(samples.count) / 48000 * rate - 2) < 0.06)
    #expect(abs(Signal.frequency(samples, rate: 48000) - 440) < 2)
    #expect(chunks.allSatisfy { $0.rate == rate })
    // Their times go on at that speed.
    let last = try #require(chunks.last)
    #expect(abs(last.pts.seconds + Double(last.frameCount) / 48000 * rate - 2) < 0.06)
  }

  @Test func aChangeOfSpeedLosesNothing() throws {
    let path = try TestClip.h264360p.path()
    var decoding = try SoundDecoding(path, format: AudioFormat(sampleRate: 48000, channelCount: 1))
    var chunks: [AudioSamples] = []
    let speeds = [1.0, 2, 0.5, 1]
    while let samples = try decoding.next() {
      chunks.append(samples)
      decoding.decoder.rate = speeds[min(3, Int(samples.pts.seconds * 2))]
    }
    let media = chunks.reduce(0) { $0 + Double($1.frameCount) / 48000 * $1.rate }
    #expect(abs(media - 2) < 0.1)
    #expect(Set(chunks.map(\.rate)) == [0.5, 1, 2])
  }

  @Test func aFlushForgetsWhatIsInside() throws {
    let path = try TestClip.h264360p.path()
    var decoding = try SoundDecoding(path, format: AudioFormat(sampleRate: 44100, channelCount: 2))
    for _ in 0..<20 { _ = try decoding.next() }
    try decoding.source.seek(to: MediaTime(seconds: 1))
    decoding.decoder.flush()
    let samples = try #require(try decoding.next())
    #expect(samples.pts.seconds > 0.9 && samples.pts.seconds < 1.1)
    let rest = try decoding.all()
    #expect(abs(Double(rest.reduce(samples.frameCount) { $0 + $1.frameCount }) / 44100 - 1) < 0.1)
    // After the end it can be sent back too.
    try decoding.source.seek(to: .zero)
    decoding.decoder.flush()
    #expect(abs(try #require(try decoding.next()).pts.seconds) < 0.05)
  }

  @Test func damagedPacketsAreErrorsAndTheRestIsHeard() throws {
    let clip = TestClip.damagedSound
    var decoding = try SoundDecoding(try clip.path(), format: AudioFormat(sampleRate: 48000, channelCount: 2))
    let samples = try decoding.all()
    #expect(decoding.warnings > 0)
    #expect(samples.reduce(0) { $0 + $1.frameCount } > 12000)
  }

  @Test func whatIsNoAudioTrackHasNoDecoder() throws {
    let source = try FFmpegBackend().open(
      MediaLocation(try TestClip.h264360p.path()), interrupt: InterruptFlag())
    let format = AudioFormat(sampleRate: 48000, channelCount: 2)
    for track in [0, 7] {
      #expect(throws: MediaError.self) { _ = try source.makeAudioDecoder(for: track, format: format) }
    }
  }
}
