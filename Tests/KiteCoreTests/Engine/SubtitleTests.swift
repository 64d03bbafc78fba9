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
    // The line began in the group of pictures before: it is not read, as in other players; later ones are.
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
    // On the line of the clock the next lap begins at 20 s.
    #expect(texts(simulation, factory, at: 19_500) == ["late"])
    #expect(simulation.renderer.plane?.span(at: .ms(19_500)).end == .ms(20_000))
    #expect(texts(simulation, factory, at: 20_500) == [])
    #expect(simulation.renderer.plane?.span(at: .ms(20_500)).end == .ms(21_000))
    simulation.pass(.ms(2000))
    #expect(texts(simulation, factory, at: 21_500) == ["early"])
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
