import Foundation
import KiteCore
import TestMedia
import Testing

@testable import KiteFFmpeg

/// What comes out of subtitle tracks of every format.
@Suite struct SubtitleDecoderTests {
  private struct Read {
    let track: MediaTrack
    let form: SubtitleForm
    let events: [SubtitleEvent]
  }

  private func read(_ path: String, isFileOfItsOwn: Bool = false) throws -> Read {
    let backend = FFmpegBackend()
    let source =
      isFileOfItsOwn
      ? try backend.openSubtitles(MediaLocation(path), interrupt: InterruptFlag())
      : try backend.open(MediaLocation(path), interrupt: InterruptFlag())
    let track = try #require(source.tracks.first { $0.kind == .subtitle })
    source.select([track.id])
    let decoder = try source.makeSubtitleDecoder(for: track.id)
    var events: [SubtitleEvent] = []
    while let packet = try source.readPacket() {
      events += (try? decoder.decode(packet)) ?? []
    }
    return Read(track: track, form: decoder.form, events: events)
  }

  private func isNear(_ time: MediaTime?, _ seconds: Double) -> Bool {
    time.map { abs($0.seconds - seconds) < 0.05 } ?? false
  }

  private func text(_ event: SubtitleEvent) -> String {
    if case .text(let line) = event.content { line } else { "pictures" }
  }

  @Test(arguments: TestClip.filmsWithText) func textBecomesLines(_ clip: TestClip) throws {
    let read = try read(try clip.path())
    guard case .text(let header, let isStyled) = read.form else {
      Issue.record("\(read.form) is not text")
      return
    }
    #expect(String(decoding: header, as: UTF8.self).contains("[V4+ Styles]"))
    #expect(isStyled == (read.track.codec == "ass"))
    let event = try #require(read.events.first)
    #expect(read.events.count == 1)
    #expect(
      isNear(event.start, 1.5) && isNear(event.end, 3.5), "\(event.start) \(String(describing: event.end))")
    #expect(text(event).contains(isStyled ? "m 0 0 l 100 0" : "there"))
    #expect(text(event).split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false).count == 9)
  }

  @Test(arguments: TestClip.filmsWithPictures) func picturesAreColoursAtTheirPlace(_ clip: TestClip) throws {
    let read = try read(try clip.path())
    #expect(read.form == .pictures)
    let event = try #require(read.events.first)
    #expect(isNear(event.start, 1.5), "\(event.start)")
    guard case .pictures(let pictures) = event.content, let picture = pictures.first else {
      Issue.record("there is no picture")
      return
    }
    #expect(picture.canvas == PixelSize(width: 320, height: 180))
    // Encoders may cut clear edges, or keep a row more.
    #expect(abs(picture.place.x - 40) <= 2 && abs(picture.place.y - 20) <= 2, "\(picture.place)")
    let white = picture.pixels.count { $0 >> 24 > 200 && $0 & 0xFF > 200 && $0 >> 8 & 0xFF > 200 }
    #expect(abs(white - 6000) < 300)
    // It ends by itself, or by an event that shows nothing.
    let isEnded = read.events.dropFirst().contains { event in
      if case .pictures(let pictures) = event.content {
        pictures.isEmpty && isNear(event.start, 3.5)
      } else {
        false
      }
    }
    #expect(isNear(event.end, 3.5) || isEnded)
  }

  @Test func aFileOfItsOwnCountsFromZero() throws {
    for clip in [TestClip.srt, .script] {
      let read = try read(try clip.path(), isFileOfItsOwn: true)
      #expect(isNear(read.events.first?.start, 1.5))
    }
    let microDVD = try read(
      try TestClip.text("frames.sub", "{1}{1}25\n{25}{50}one|two\n{75}{100}three\n").path(),
      isFileOfItsOwn: true)
    #expect(microDVD.track.codec == "microdvd")
    #expect(microDVD.events.map(\.start.seconds) == [1, 3])
    #expect(microDVD.events.first.map(text)?.contains(#"one\Ntwo"#) == true)
    let pictures = try read(try TestClip.pgs.path(), isFileOfItsOwn: true)
    #expect(pictures.form == .pictures && pictures.events.count == 2)
  }

  @Test func textThatIsNotUTF8IsTakenForLatin() throws {
    let path = NSTemporaryDirectory() + "kite-latin-\(UUID().uuidString).srt"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var data = Data("1\n00:00:01,000 --> 00:00:02,000\nna".utf8)
    data.append(0xEF)
    data += Data("ve\n\n2\n00:00:03,000 --> 00:00:04,000\nplain\n".utf8)
    try data.write(to: URL(filePath: path))
    let read = try read(path, isFileOfItsOwn: true)
    #expect(read.events.map { text($0).split(separator: ",").last } == ["naïve", "plain"])
  }

  @Test func aFileWithoutSubtitlesIsNone() throws {
    #expect {
      _ = try FFmpegBackend().openSubtitles(
        MediaLocation(try TestClip.blueInTheMiddle.path()), interrupt: InterruptFlag())
    } throws: { ($0 as? MediaError)?.kind == .noStreams }
    #expect {
      _ = try FFmpegBackend().openSubtitles("nowhere.srt", interrupt: InterruptFlag())
    } throws: { ($0 as? MediaError)?.kind == .notFound }
  }

  @Test func noFileIsTooDamaged() throws {
    let folder = NSTemporaryDirectory() + "kite-subtitles-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var seed: UInt64 = 3
    func noise(_ count: Int) -> Data {
      Data(
        (0..<count).map { _ in
          seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          return UInt8(seed >> 56)
        })
    }
    let head = "1\n00:00:01,000 --> 00:00:02,000\n"
    let long = Data(head.utf8) + Data(repeating: UInt8(ascii: "a"), count: 10_000_000)
    let files: [(String, Data)] = [
      ("noise.srt", noise(50_000)), ("noise.sup", noise(50_000)), ("noise.ass", noise(50_000)),
      ("noise.idx", noise(5000)), ("half.sup", Data("PG".utf8) + noise(20_000)),
      ("bad.srt", Data(head.utf8) + noise(3000)), ("long.srt", long),
      ("script.ass", Data("[Events]\nDialogue: ".utf8) + noise(20_000)),
    ]
    for (name, data) in files {
      let path = "\(folder)/\(name)"
      try data.write(to: URL(filePath: path))
      // An error or events, as long as it ends.
      let read = try? read(path, isFileOfItsOwn: true)
      #expect(read?.events.allSatisfy { text($0).utf8.count < 600_000 } ?? true, "\(name)")
    }
  }

  @Test func fontsAndChaptersAreThoseOfTheFile() throws {
    let clip = TestClip.filmWithFontAndChapters
    let source = try FFmpegBackend().open(MediaLocation(try clip.path()), interrupt: InterruptFlag())
    #expect(source.fonts.map(\.bytes) == [Array("not really a font".utf8)])
    #expect(source.chapters.map(\.title) == ["First", "Second"])
    #expect(source.chapters.map(\.start.seconds) == [0, 2] && source.chapters.last?.end.seconds == 5)
    let track = try #require(source.tracks.first { $0.kind == .subtitle })
    #expect(track.isForced && track.language == "ger" && track.codec == "ass")
  }
}
