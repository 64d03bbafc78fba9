import KiteSystem
import Testing

@testable import KiteCore

/// Items one after the other: where they are alike nothing stands still, nothing is silent, nothing is missing.
@Suite struct QueueTests {
  /// Plays "film" and then the others, which are called "1", "2"…
  private static func playing(
    _ first: FakeMedia, _ others: FakeMedia..., play: Bool = true
  ) -> Simulation {
    let simulation = Simulation(first)
    for (index, media) in others.enumerated() { simulation.backend[MediaLocation("\(index + 1)")] = media }
    simulation.player.startOpening("film", playsWhenReady: play)
    for index in others.indices { simulation.player.enqueue(MediaLocation("\(index + 1)")) }
    simulation.rest()
    return simulation
  }

  private static func names(_ items: [QueueItem]) -> [String] { items.map(\.name) }

  // MARK: The join

  @Test(arguments: [0, 3], [1, 10])
  func picturesGoOnInTheirPace(decoderDelay: Int, keyframes: Int) {
    var media = FakeMedia.video(count: 25, keyframes: keyframes)
    media.decoderDelay = decoderDelay
    let simulation = Self.playing(media, media, media)
    let log = StateLog(simulation.player)
    let start = simulation.time.now
    #expect(simulation.pass { simulation.player.status == .ended })
    #expect(simulation.renderer.shown.map(\.target) == (0..<75).map { start + 40_000_000 * Int64($0) })
    #expect(simulation.renderer.times == (0..<75).map { .ms(Int64($0 % 25) * 40) })
    #expect(Set(log.statuses) == [.playing, .ended])
    #expect(simulation.player.droppedFrames == 0)
    #expect(simulation.player.position == .ms(1000))
    #expect(simulation.player.state.item?.name == "2")
  }

  @Test func soundGoesOnWithoutAGap() throws {
    let media = FakeMedia.video(count: 25).withSound(to: 1000)
    let simulation = Self.playing(media, media)
    simulation.pass(.ms(1900))
    let heard = try #require(simulation.sinks.sink).heard
    #expect(simulation.sinks.count == 1)
    #expect(heard.count > 1700)
    #expect(heard.map(\.media) == (0..<Int64(heard.count)).map { $0 % 1000 })
    for (one, next) in zip(heard, heard.dropFirst()) {
      #expect(abs((next.time - one.time) - 1_000_000) < 1000)
    }
  }

  /// The fake sinks have one channel.
  @Test func moreChannelsThanTheSinkHasGetASinkOfTheirOwn() {
    var mono = FakeMedia.video(count: 25).withSound(to: 1000)
    mono.channelCount = 1
    var surround = mono
    surround.channelCount = 6
    let simulation = Self.playing(mono, mono, surround)
    #expect(simulation.pass { simulation.player.status == .ended })
    #expect(simulation.sinks.formats.map(\.channelCount) == [1, 6])
    #expect(simulation.player.state.item?.name == "2")
    #expect((simulation.sinks.sink?.heard.count ?? 0) > 900)
  }

  /// As on a record, where a song flows into the next one; the last packet of most is shorter than the others.
  @Test(arguments: [1000, 993, 981] as [Int64]) func musicGoesOnToTheSample(length: Int64) throws {
    var media = FakeMedia().withSound(to: length)
    media.hasVideo = false
    media.duration = .ms(length)
    let simulation = Self.playing(media, media, media)
    let log = StateLog(simulation.player)
    #expect(simulation.pass { simulation.player.status == .ended })
    let heard = try #require(simulation.sinks.sink).heard.map(\.media)
    #expect(heard == (0..<3 * length).map { $0 % length })
    #expect(Set(log.statuses) == [.playing, .ended])
  }

  @Test func theStateIsTheNextItemsWhenItsTimeHasCome() {
    var next = FakeMedia.video(count: 50).withSound(to: 2000, trackID: 7)
    next.hasAudio = false
    next.chapters = [Chapter(title: "one", start: .zero, end: .ms(2000))]
    let simulation = Self.playing(.video(count: 25).withSound(to: 1000), next)
    let player = simulation.player
    // It is read and decoded by now.
    simulation.pass(.ms(950))
    #expect(player.state.item?.name == "film")
    #expect(player.duration == .ms(1000))
    #expect(player.state.audioTrackID == 1)
    #expect(player.position > .ms(850))
    #expect(Self.names(player.queue) == ["1"])
    #expect(player.chapters.isEmpty)
    #expect(simulation.pass(limit: .ms(200)) { player.state.item?.name == "1" })
    #expect(player.duration == .ms(2000))
    #expect(player.position < .ms(100))
    #expect(player.tracks.map(\.id) == [0, 7])
    #expect(player.state.audioTrackID == 7)
    #expect(player.queue.isEmpty)
    #expect(player.chapters.count == 1)
  }

  @Test func subtitlesAreTheItemsOwn() {
    var media = FakeMedia.video(count: 25)
    media.subtitles = [FakeSubtitle("one", 0, 900)]
    let simulation = Simulation(media, texts: FakeTexts())
    simulation.backend["1"] = media
    simulation.open(playsWhenReady: true)
    simulation.player.enqueue("1")
    simulation.rest()
    let first = simulation.renderer.plane
    #expect(first != nil)
    simulation.pass(.ms(800))
    #expect(simulation.renderer.plane === first)
    #expect(simulation.pass(limit: .ms(300)) { simulation.player.state.item?.name == "1" })
    simulation.rest()
    let second = simulation.renderer.plane
    #expect(second != nil && second !== first)
    // By the times that its pictures have.
    #expect(second?.span(at: .ms(500)).isEmpty == false)
    #expect(second?.span(at: .ms(950)).isEmpty == true)
    #expect(simulation.player.state.subtitleTrackID != nil)
  }

  @Test func whatIsUnlikeBeginsAtTheEnd() {
    var music = FakeMedia().withSound(to: 1000)
    music.hasVideo = false
    music.duration = .ms(1000)
    let simulation = Self.playing(.video(count: 25), music, .video(count: 25).withSound(to: 1000))
    let log = StateLog(simulation.player)
    #expect(simulation.pass { simulation.player.status == .ended })
    #expect(simulation.renderer.shown.count == 50)
    #expect(log.states.compactMap(\.item?.name).uniqued == ["film", "1", "2"])
    #expect(!log.statuses.contains(.failed))
  }

  @Test func whatIsQueuedWhenAllIsReadAlreadyFollowsToo() {
    let simulation = Simulation(.video(count: 25))
    simulation.backend["1"] = .video(count: 25)
    simulation.open(playsWhenReady: true)
    simulation.pass(.ms(990))
    let log = StateLog(simulation.player)
    simulation.player.enqueue("1")
    simulation.pass(.ms(500))
    #expect(Set(log.statuses) == [.playing])
    #expect(simulation.player.state.item?.name == "1")
    #expect(simulation.player.droppedFrames == 0)
  }

  // MARK: Jumps

  @Test func aSeekBackBeforeTheJoinStaysInTheItem() {
    let simulation = Self.playing(
      .video(count: 25, keyframes: 5).withSound(to: 1000), .video(count: 25).withSound(to: 1000, trackID: 9))
    let player = simulation.player
    simulation.pass(.ms(950))
    player.seek(to: .ms(400))
    simulation.rest()
    #expect(simulation.renderer.times.last == .ms(400))
    #expect(player.state.item?.name == "film")
    #expect(player.position == .ms(400))
    #expect(Self.names(player.queue) == ["1"])
    #expect(player.state.audioTrackID == 1)
    let count = simulation.renderer.shown.count
    #expect(simulation.pass { player.status == .ended })
    // From 440 on, and then all of the other one.
    let rest = simulation.renderer.times.dropFirst(count)
    #expect(Array(rest) == (11..<25).map { .ms($0 * 40) } + (0..<25).map { .ms($0 * 40) })
    #expect(player.state.item?.name == "1")
  }

  @Test func aSeekBehindTheJoinStaysInTheItem() {
    let simulation = Self.playing(.video(count: 25), .video(count: 25, keyframes: 5))
    simulation.pass(.ms(1500))
    simulation.player.seek(to: .ms(200))
    simulation.rest()
    #expect(simulation.renderer.times.last == .ms(200))
    #expect(simulation.player.state.item?.name == "1")
    simulation.player.step(by: -1)
    simulation.rest()
    #expect(simulation.renderer.times.last == .ms(160))
  }

  @Test func stepsGoOnIntoTheNextItem() {
    let simulation = Self.playing(.video(count: 3), .video(count: 3), play: false)
    for _ in 0..<4 {
      simulation.player.step(by: 1)
      simulation.rest()
    }
    #expect(simulation.renderer.times == [.zero, .ms(40), .ms(80), .zero, .ms(40)])
    #expect(simulation.player.state.item?.name == "1")
    #expect(simulation.player.position == .ms(40))
    #expect(simulation.player.status == .paused)
  }

  @Test(arguments: [true, false]) func nextGoesOnAtOnce(plays: Bool) {
    let simulation = Self.playing(.video(count: 500), .video(count: 25), .video(count: 30), play: plays)
    let player = simulation.player
    simulation.pass(.ms(100))
    #expect(player.next())
    simulation.rest()
    #expect(player.state.item?.name == "1")
    #expect(player.status == (plays ? .playing : .paused))
    #expect(simulation.renderer.times.last == .zero)
    #expect(Self.names(player.queue) == ["2"])
    #expect(player.next())
    simulation.rest()
    #expect(player.duration == .ms(1200))
    #expect(!player.next())
    #expect(player.state.item?.name == "2")
  }

  @Test func nextDoesNotWaitForWhatIsBeingOpened() async {
    let simulation = Simulation(.video(count: 500))
    var slow = FakeMedia.video(count: 25)
    slow.openGate = Gate()
    simulation.backend["slow"] = slow
    simulation.backend["1"] = .video(count: 25)
    simulation.open(playsWhenReady: true)
    simulation.player.enqueue("slow")
    simulation.player.enqueue("1")
    simulation.player.next()
    #expect(simulation.player.state.item?.name == "slow")
    simulation.player.next()
    #expect(await eventually { simulation.player.duration == .ms(1000) })
    // Nobody opens it any more, though its gate stays shut: the threads are those of an item without sound.
    #expect(
      await eventually { simulation.player.engine?.monitor.withLock { $0.threads } == 3 },
      "the opening was not broken off")
    simulation.rest()
    #expect(simulation.player.state.item?.name == "1")
    #expect(simulation.player.state.itemError == nil)
  }

  @Test func atTheEndTheNextOneWaitsForPlay() {
    let simulation = Simulation(.video(count: 5))
    simulation.backend["1"] = .video(count: 25)
    simulation.open(playsWhenReady: true)
    #expect(simulation.pass { simulation.player.status == .ended })
    simulation.player.enqueue("1")
    simulation.rest()
    #expect(simulation.player.status == .ended)
    simulation.player.play()
    simulation.pass(.ms(50))
    #expect(simulation.player.status == .playing)
    #expect(simulation.player.state.item?.name == "1")
  }

  @Test func loopingHoldsTheNextOneBack() {
    let simulation = Self.playing(.video(count: 25), .video(count: 25))
    simulation.pass(.ms(900))
    simulation.player.isLooping = true
    simulation.pass(.ms(2000))
    #expect(simulation.player.state.item?.name == "film")
    #expect(Self.names(simulation.player.queue) == ["1"])
    simulation.player.isLooping = false
    // The laps that are read ahead still come.
    #expect(simulation.pass(limit: .ms(20_000)) { simulation.player.state.item?.name == "1" })
  }

  @Test func aClearedQueueEndsWithTheItem() {
    let simulation = Self.playing(.video(count: 25), .video(count: 25))
    simulation.pass(.ms(900))
    simulation.player.clearQueue()
    #expect(simulation.player.queue.isEmpty)
    #expect(simulation.pass { simulation.player.status == .ended })
    #expect(simulation.player.state.item?.name == "film")
    #expect(simulation.player.position == .ms(1000))
  }

  @Test func nothingOpenMeansTheFirstIsOpened() {
    let simulation = Simulation(.video(count: 25))
    simulation.backend["1"] = .video(count: 25)
    let first = simulation.player.enqueue("film")
    simulation.player.enqueue("1")
    simulation.player.play()
    simulation.rest()
    #expect(simulation.player.status == .playing)
    #expect(simulation.player.state.item == first)
    #expect(Self.names(simulation.player.queue) == ["1"])
    simulation.player.close()
    #expect(simulation.player.state.item == nil)
    #expect(simulation.player.queue.isEmpty)
  }

  @Test func allIsLetGo() async {
    let simulation = Self.playing(.video(count: 25), .video(count: 25), .video(count: 25))
    simulation.pass(.ms(2500))
    // What was played is let go when the demuxer has something to do again.
    simulation.player.seek(to: .zero)
    simulation.rest()
    #expect(simulation.backend.counts.living == 2)
    simulation.player.close()
    #expect(await eventually { simulation.backend.counts.living == 0 })
  }
}

extension Array where Element: Equatable {
  /// Without repetitions of what stands before.
  fileprivate var uniqued: [Element] {
    reduce(into: []) { result, element in
      if result.last != element { result.append(element) }
    }
  }
}
