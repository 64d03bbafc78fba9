import KiteSystem
import Testing

@testable import KiteCore

/// 25 pictures a second for 20 seconds.
@Suite struct SubtitleTests {
  private let canvas = SubtitleCanvas(
    size: PixelSize(width: 64, height: 36), picture: PixelRect(x: 0, y: 0, width: 64, height: 36),
    storage: PixelSize(width: 64, height: 36))

  private func film(_ subtitles: [FakeSubtitle]) -> FakeMedia {
    var media = FakeMedia.video(count: 500, keyframes: 25)
    media.subtitles = subtitles
    return media
  }

  private let twoTracks = [
    FakeSubtitle("early", 1000, 3000), FakeSubtitle("frueh", 1000, 3000, track: 21),
    FakeSubtitle("late", 18_000, 21_000), FakeSubtitle("spaet", 18_000, 21_000, track: 21),
  ]

  /// What a renderer would draw over the picture of this time.
  private func texts(_ simulation: Simulation, _ texts: FakeTexts, at milliseconds: Int64) -> [String] {
    guard let plane = simulation.renderer.plane else { return ["no plane"] }
    texts.drawn.withLock { $0.removeAll() }
    guard !plane.span(at: .ms(milliseconds)).isEmpty else { return [] }
    plane.draw(at: .ms(milliseconds), on: canvas) { _ in }
    return texts.drawn.withLock { $0 }
  }

  @Test func whatTheContainerMarksIsShown() {
    let factory = FakeTexts()
    let simulation = Simulation(film(twoTracks), texts: factory)
    let log = StateLog(simulation.player)
    simulation.open()
    #expect(simulation.player.state.subtitleTrackID == 20)
    #expect(texts(simulation, factory, at: 1000) == ["early"])
    #expect(texts(simulation, factory, at: 999) == [])
    #expect(simulation.player.tracks.map(\.kind) == [.video, .subtitle, .subtitle])
    log.check()
    simulation.player.close()
    #expect(simulation.renderer.plane == nil)
    #expect(simulation.player.state.subtitleTrackID == nil)
  }

  @Test func withoutSubtitlesThereIsNoPlane() {
    let simulation = Simulation(film([FakeSubtitle("x", 0, 100, track: 21)]), texts: FakeTexts())
    simulation.open()
    #expect(simulation.renderer.plane == nil)
    #expect(simulation.player.state.subtitleTrackID == nil)
  }

  @Test func anotherTrackIsThereForThePictureThatIsShown() {
    let factory = FakeTexts()
    let simulation = Simulation(film(twoTracks), texts: factory)
    simulation.open()
    simulation.player.seek(to: .ms(2000))
    simulation.rest()
    let state = simulation.player.state
    simulation.player.selectSubtitleTrack(21)
    simulation.rest()
    #expect(simulation.player.state.subtitleTrackID == 21)
    #expect(simulation.player.state.position == state.position)
    #expect(simulation.player.status == .paused)
    // The line began in the group of pictures before.
    #expect(texts(simulation, factory, at: 2000) == ["frueh"])
    simulation.player.seek(to: .ms(18_500))
    simulation.rest()
    #expect(texts(simulation, factory, at: 18_500) == ["spaet"])
    simulation.player.selectSubtitleTrack(nil)
    simulation.rest()
    #expect(simulation.renderer.plane == nil)
    #expect(simulation.player.state.subtitleTrackID == nil)
    simulation.player.selectSubtitleTrack(99)
    simulation.player.selectSubtitleTrack(0)
    simulation.rest()
    #expect(simulation.player.state.subtitleTrackID == nil)
  }

  @Test func aLineThatBeganBeforeTheKeyframeOfASeekIsShown() {
    let factory = FakeTexts()
    let simulation = Simulation(
      film([
        FakeSubtitle("long ago", 3000, 9000), FakeSubtitle("before", 11_500, 16_000),
        FakeSubtitle("at it", 13_000, 15_000), FakeSubtitle("later", 14_000, 15_000),
      ]), texts: factory)
    simulation.open()
    // Nothing of it was read yet: that is 13 s ahead.
    #expect(texts(simulation, factory, at: 13_500) == [])
    simulation.player.seek(to: .ms(13_500))
    simulation.rest()
    #expect(texts(simulation, factory, at: 13_500) == ["before", "at it"])
    // And again, and back.
    simulation.player.seek(to: .ms(8500))
    simulation.rest()
    #expect(texts(simulation, factory, at: 8500) == ["long ago"])
    // What is shown later has begun before, too.
    simulation.player.subtitleDelay = .ms(4000)
    simulation.player.seek(to: .ms(19_500))
    simulation.rest()
    #expect(texts(simulation, factory, at: 19_500) == ["before"])
    simulation.player.close()
    #expect(simulation.backend.counts.living == 0)
  }

  @Test func theSecondItemOfAQueueHasItsText() {
    let factory = FakeTexts()
    let simulation = Simulation(film(twoTracks), texts: factory)
    var next = FakeMedia.video(count: 100, keyframes: 25)
    next.subtitles = [FakeSubtitle("next", 1000, 3000)]
    simulation.backend["next"] = next
    simulation.open(playsWhenReady: true)
    simulation.player.enqueue("next")
    simulation.pass { simulation.player.state.item?.name == "next" }
    simulation.pass(.ms(1500))
    // By the times that its pictures have.
    #expect([.ms(1480), .ms(1520)].contains(simulation.renderer.shown.last?.pts))
    #expect(texts(simulation, factory, at: 1480) == ["next"])
    #expect(texts(simulation, factory, at: 3000) == [])
  }

  /// A picture a second.
  @Test func overAPictureThatStaysTextComesAndGoesAtItsTime() throws {
    var media = FakeMedia.video(count: 20, rate: 1)
    media.subtitles = [FakeSubtitle("between", 2300, 2700)]
    let simulation = Simulation(media, texts: FakeTexts())
    simulation.open()
    let plane = try #require(simulation.renderer.plane)
    let changes = Locked(0)
    plane.onChange { changes.withLock { $0 += 1 } }
    simulation.player.seek(to: .ms(2000))
    simulation.rest()
    let picture = MediaTime.ms(2000)
    // The clock stands.
    var now = simulation.time.now
    #expect(plane.time(over: picture, at: now) == picture)
    #expect(plane.span(at: picture).end == .ms(2300))
    #expect(plane.due(.ms(2300), over: picture, at: now) == nil)
    // It runs: who shows it is told, and when the next change is.
    let told = changes.withLock { $0 }
    simulation.player.play()
    simulation.rest()
    #expect(changes.withLock { $0 } > told)
    now = simulation.time.now
    let due = try #require(plane.due(.ms(2300), over: picture, at: now))
    #expect(abs(due - now - 300_000_000) < 1_000_000)
    simulation.pass(.ms(500))
    now = simulation.time.now
    #expect(plane.time(over: picture, at: now) == .ms(2500))
    #expect(plane.span(at: .ms(2500)).isEmpty == false)
    // Paused in the middle it stays.
    simulation.player.pause()
    simulation.pass(.ms(5000))
    #expect(plane.time(over: picture, at: simulation.time.now) == .ms(2500))
    // At twice the speed half as late.
    simulation.player.rate = 2
    simulation.player.play()
    simulation.rest()
    now = simulation.time.now
    let end = try #require(plane.due(.ms(2700), over: picture, at: now))
    #expect(abs(end - now - 100_000_000) < 1_000_000)
    // A seek into the middle of a picture has the text of there.
    simulation.player.pause()
    simulation.player.seek(to: .ms(2600))
    simulation.rest()
    #expect(plane.time(over: picture, at: simulation.time.now) == .ms(2600))
    // With pictures that follow each other, text belongs to them.
    #expect(plane.time(over: .ms(2560), at: simulation.time.now) == .ms(2560))
  }

  @Test func aDelayMovesAllOfThemAndIsKept() {
    let factory = FakeTexts()
    let simulation = Simulation(film(twoTracks), texts: factory)
    simulation.player.subtitleDelay = .ms(500)
    #expect(simulation.player.state.subtitleDelay == .ms(500))
    simulation.open()
    #expect(texts(simulation, factory, at: 1499) == [])
    #expect(texts(simulation, factory, at: 1500) == ["early"])
    #expect(simulation.renderer.plane?.span(at: .ms(1500)).end == .ms(3500))
    simulation.player.subtitleDelay = .ms(-1000)
    #expect(texts(simulation, factory, at: 0) == ["early"])
    #expect(simulation.player.state.subtitleDelay == .ms(-1000))
  }

  @Test func nothingStaysBehindTheEnd() {
    let factory = FakeTexts()
    let simulation = Simulation(film(twoTracks), texts: factory)
    simulation.open(playsWhenReady: true)
    simulation.pass(.ms(19_000))
    #expect(texts(simulation, factory, at: 19_000) == ["late"])
    simulation.pass(.ms(2000))
    #expect(simulation.player.status == .ended)
    #expect(texts(simulation, factory, at: 19_960) == [])
    simulation.player.seek(to: .ms(18_000))
    simulation.rest()
    #expect(texts(simulation, factory, at: 18_000) == ["late"])
  }

  @Test func aFilmThatBeginsAnewHasItsTextAnew() {
    let factory = FakeTexts()
    let simulation = Simulation(film(twoTracks), texts: factory)
    simulation.player.isLooping = true
    simulation.open(playsWhenReady: true)
    simulation.pass(.ms(19_500))
    #expect(texts(simulation, factory, at: 19_500) == ["late"])
    simulation.pass(.ms(2000))
    #expect([.ms(1480), .ms(1520)].contains(simulation.renderer.shown.last?.pts))
    #expect(texts(simulation, factory, at: 1480) == ["early"])
  }

  @Test func withoutWhatDrawsTextTheFilmGoesOn() {
    let error = MediaError(kind: .unsupported, subject: "subtitles", reason: "can't be drawn")
    let factory = FakeTexts(error: error)
    let simulation = Simulation(film(twoTracks), texts: factory)
    simulation.open(playsWhenReady: true)
    #expect(texts(simulation, factory, at: 1000) == [])
    simulation.rest()
    let state = simulation.player.state
    #expect(state.subtitleError == error && state.subtitleTrackID == nil && state.error == nil)
    #expect(simulation.player.statistics.decodeWarnings == 1)
    #expect(simulation.renderer.plane?.span(at: .ms(1000)).isEmpty == true)
    simulation.pass(.ms(1000))
    #expect(simulation.player.position == .ms(1000))
  }

  @Test func aDamagedLineIsLeftOut() {
    let factory = FakeTexts()
    let simulation = Simulation(
      film([FakeSubtitle("damage", 100, 200), FakeSubtitle("whole", 200, 300)]), texts: factory)
    simulation.open()
    #expect(texts(simulation, factory, at: 200) == ["whole"])
    #expect(simulation.player.statistics.decodeWarnings == 1)
  }

  @Test func aFileOfItsOwnIsAddedAndShown() async throws {
    let factory = FakeTexts()
    let simulation = Simulation(film(twoTracks), texts: factory)
    var file = FakeMedia()
    file.hasVideo = false
    file.subtitles = [FakeSubtitle("other", 500, 900, track: 0)]
    simulation.backend["other.srt"] = file
    simulation.backend["silent"] = .video(count: 1)
    simulation.open()
    let track = try await simulation.player.addSubtitleFile("other.srt")
    simulation.rest()
    #expect(track.isExternal && track.title == "other.srt")
    #expect(simulation.player.tracks.last == track)
    #expect(simulation.player.state.subtitleTrackID == track.id)
    #expect(texts(simulation, factory, at: 500) == ["other"])
    #expect(texts(simulation, factory, at: 1000) == [])
    simulation.player.selectSubtitleTrack(20)
    simulation.rest()
    simulation.player.selectSubtitleTrack(track.id)
    #expect(texts(simulation, factory, at: 500) == ["other"])
    let second = try await simulation.player.addSubtitleFile("other.srt", selects: false)
    #expect(second.id != track.id && simulation.player.state.subtitleTrackID == track.id)
    await #expect(throws: MediaError.self) { try await simulation.player.addSubtitleFile("nowhere.srt") }
    await #expect(throws: MediaError.self) { try await simulation.player.addSubtitleFile("silent") }
    simulation.player.close()
    await #expect(throws: MediaError.self) { try await simulation.player.addSubtitleFile("other.srt") }
  }

  @Test func aRendererThatComesLaterGetsThem() {
    let simulation = Simulation(film(twoTracks), attaches: false, texts: FakeTexts())
    simulation.open()
    let second = FakeRenderer(time: simulation.time)
    simulation.player.attach(simulation.renderer)
    #expect(simulation.renderer.plane != nil)
    simulation.player.attach(second)
    #expect(simulation.renderer.plane == nil && second.plane != nil)
    simulation.player.detach(second)
    #expect(simulation.renderer.plane != nil && second.plane == nil)
  }

  @Test func chaptersAreThoseOfTheContainer() {
    var media = film([])
    media.chapters = [Chapter(title: "One", start: .zero, end: .ms(1000))]
    let simulation = Simulation(media)
    simulation.open()
    #expect(simulation.player.chapters == media.chapters)
  }
}
