import KiteFFmpeg
import TestMedia
import Testing

@testable import KiteCore

/// Files of sound beside a film, with FFmpeg's demuxers and decoders: what `ExternalAudioTests` show with a manual clock.
@Suite struct AudioFileTests {
  private static let id = 2_000_000
  /// Twenty seconds with a keyframe every few seconds, without sound of its own.
  private static let film = TestClip.searchedH264

  private func merged(with file: TestClip) throws -> MergedSource {
    let backend = FFmpegBackend()
    let source = MergedSource(
      try backend.open(MediaLocation(Self.film.path()), interrupt: InterruptFlag())
    ) { Issue.record($0) }
    let sound = try backend.open(MediaLocation(file.path()), interrupt: InterruptFlag())
    let own = try #require(sound.tracks.first { $0.kind == .audio }).id
    source.add(sound, shownIDs: [own: Self.id])
    return source
  }

  /// The first packets of both, once there is one of each.
  private func firsts(of source: MergedSource, video: Int) throws -> (video: MediaTime, sound: MediaTime) {
    var (picture, sound): (MediaTime?, MediaTime?)
    while picture == nil || sound == nil, let packet = try source.readPacket() {
      if packet.trackID == video { picture = picture ?? packet.pts } else { sound = sound ?? packet.pts }
    }
    return (try #require(picture), try #require(sound))
  }

  @Test(arguments: TestClip.tones) func itIsReadAlongAndSought(file: TestClip) throws {
    let source = try merged(with: file)
    let video = try Decoding.videoTrack(of: source).id
    source.select([video, Self.id])
    let start = try firsts(of: source, video: video)
    #expect(abs(start.sound.seconds) < 0.06, "its start is the film's")
    for target in [11.3, 3.7, 17, 0] {
      try source.seek(to: MediaTime(seconds: target))
      let first = try firsts(of: source, video: video)
      #expect(first.video.seconds <= target)
      // From the keyframe on, whose sound may be wanted.
      #expect(first.sound <= first.video + MediaTime(seconds: 0.1), "\(target)")
      #expect(first.video - first.sound < MediaTime(seconds: 5.5), "\(target)")
    }
  }

  @Test(arguments: TestClip.tones) func itsPacketsComeBetweenThePictures(file: TestClip) throws {
    let source = try merged(with: file)
    let video = try Decoding.videoTrack(of: source).id
    source.select([video, Self.id])
    let format = AudioFormat(sampleRate: 48000, channelCount: 1)
    let decoder = try source.makeAudioDecoder(for: Self.id, format: format)
    var (samples, pictures): ([Float], Int) = ([], 0)
    var (newest, ahead): (MediaTime, MediaTime) = (.zero, .zero)
    while let packet = try source.readPacket() {
      if packet is PicturesEnd { continue }
      guard packet.trackID == Self.id else {
        pictures += 1
        newest = max(newest, packet.pts ?? .zero)
        continue
      }
      if let pts = packet.pts { ahead = max(ahead, pts - newest) }
      try decoder.send(packet)
      while case .samples(let stretch) = try decoder.receive() { samples += stretch.samples }
    }
    #expect(pictures == (try FrameHashes.of(Self.film.url()).count))
    #expect(ahead < MediaTime(seconds: 0.3))
    #expect(abs(Double(samples.count) / 48000 - 20) < 0.2)
    #expect(abs(Signal.frequency(samples, rate: 48000) - 440) < 1)
  }
}

extension SourceTests {
  /// The same through a player.
  @Suite struct AudioFilePlaying {
    @Test(.timeLimit(.minutes(5))) func aFilmPlaysWithTheSoundOfAnotherFile() async throws {
      let playing = Playing(sound: DeafSinks())
      try await playing.player.open(MediaLocation(TestClip.h264360p.path()))
      let own = playing.player.state.audioTrackID
      let track = try await playing.player.addAudioFile(
        MediaLocation(TestClip.sound("aac_44100.mkv", channels: 2, rate: 44100, ["-c:a", "aac"]).path()))
      #expect(track.isExternal && track.codec == "aac" && track.title == "aac_44100.mkv")
      #expect(track.audioFormat?.sampleRate == 44100)
      #expect(await playing.waits { $0.audioTrackID == track.id })
      // What is no file of sound is an error, and the film goes on.
      for path in ["/nonexistent.mp3", try TestClip.prose.path()] {
        await #expect(throws: MediaError.self) {
          try await playing.player.addAudioFile(MediaLocation(path))
        }
      }
      playing.player.play()
      #expect(await playing.waitsForEnd())
      #expect(playing.player.status == .ended)
      #expect(playing.player.statistics.decodeWarnings == 0)
      playing.player.seek(to: MediaTime(seconds: 0.5))
      playing.player.selectAudioTrack(own)
      #expect(await playing.waits { $0.audioTrackID == own && !$0.isSeeking })
    }

    @Test(.timeLimit(.minutes(5))) func damagedSoundIsAWarning() async throws {
      let playing = Playing(sound: DeafSinks())
      try await playing.player.open(MediaLocation(TestClip.h264360p.path()))
      try await playing.player.addAudioFile(MediaLocation(TestClip.damagedSound.path()))
      playing.player.play()
      #expect(await playing.waitsForEnd())
      #expect(playing.player.status == .ended)
      #expect(playing.player.statistics.decodeWarnings > 0)
    }
  }
}
