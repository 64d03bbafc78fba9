import KiteCore
import Testing

@testable import KiteViews

/// The display hold as a table: what happened, and what is done then.
@Suite struct DisplayHoldTests {
  typealias Event = DisplayHold.Event
  typealias Action = DisplayHold.Action

  /// Seen, with a picture, playing.
  private static let playing: [Event] = [.visible(true), .shown(true), .playback(.video)]

  private func run(_ events: [Event], on hold: inout DisplayHold) -> [Action] {
    events.flatMap { hold.event($0) }
  }

  @Test(arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
  func itIsHeldOnceWhenAllIsThereInWhateverOrder(_ order: [Int]) {
    var hold = DisplayHold()
    #expect(run([.visible(false), .wished(true)], on: &hold) == [])
    #expect(run(order.map { Self.playing[$0] }, on: &hold) == [.acquire])
    #expect(run(Self.playing, on: &hold) == [], "nothing new")
    #expect(hold.isHeld)
  }

  /// What ends a hold at once, and what brings it back.
  private static let rows: [(what: String, lost: Event, back: Event)] = [
    ("paused, audio only, no player", .playback(.still), .playback(.video)),
    ("hidden, closed, connection lost", .shown(false), .shown(true)),
    ("suspended", .visible(false), .visible(true)),
    ("keepsDisplayAwake = false", .wished(false), .wished(true)),
  ]

  @Test(arguments: rows.indices) func eachConditionCountsAtOnce(_ row: Int) {
    let row = Self.rows[row]
    var hold = DisplayHold()
    _ = run(Self.playing, on: &hold)
    #expect(run([row.lost], on: &hold) == [.release], "\(row.what)")
    #expect(run([row.lost], on: &hold) == [], "\(row.what), told twice")
    #expect(run([row.back], on: &hold) == [.acquire], "\(row.what), over")
  }

  @Test(arguments: rows.indices) func eachConditionCountsInAGapToo(_ row: Int) {
    let row = Self.rows[row]
    var hold = DisplayHold()
    _ = run(Self.playing + [.playback(.gap)], on: &hold)
    #expect(run([row.lost], on: &hold) == [.cancelGrace, .release], "\(row.what)")
    #expect(run([.graceOver], on: &hold) == [], "\(row.what), a late timer")
    // What comes back in the midst of a gap is no reason to hold yet.
    let isBack = run([.playback(.gap), row.back], on: &hold) == [.acquire]
    #expect(isBack == (row.back == .playback(.video)), "\(row.what)")
  }

  @Test func aShortGapDropsNothing() {
    var hold = DisplayHold()
    _ = run(Self.playing, on: &hold)
    #expect(run([.playback(.gap), .playback(.gap)], on: &hold) == [.startGrace])
    #expect(hold.isHeld)
    #expect(run([.playback(.video)], on: &hold) == [.cancelGrace])
    #expect(run([.graceOver], on: &hold) == [], "a timer that was cancelled too late")
    #expect(run([.playback(.gap)], on: &hold) == [.startGrace], "each gap has its own")
  }

  @Test func aLongGapDropsItAndPlayingTakesItAgain() {
    var hold = DisplayHold()
    _ = run(Self.playing + [.playback(.gap)], on: &hold)
    #expect(run([.graceOver], on: &hold) == [.release])
    #expect(!hold.isHeld)
    #expect(run([.playback(.gap), .graceOver], on: &hold) == [])
    #expect(run([.playback(.video)], on: &hold) == [.acquire])
  }

  @Test func aGapBeforeTheFirstPictureIsNoReasonToHold() {
    var hold = DisplayHold()
    #expect(run([.shown(true), .playback(.gap), .playback(.still), .playback(.gap)], on: &hold) == [])
  }

  @Test func anotherSurfaceOrMechanismIsTakenInsteadOfTheOld() {
    var hold = DisplayHold()
    #expect(run([.moved], on: &hold) == [])
    _ = run(Self.playing, on: &hold)
    #expect(run([.moved], on: &hold) == [.release, .acquire])
    _ = run([.playback(.gap)], on: &hold)
    #expect(run([.moved, .graceOver], on: &hold) == [.release, .acquire, .release])
  }

  @Test func theGraceIsTwoSeconds() {
    #expect(DisplayHold.grace == .seconds(2))
  }

  @Test(arguments: [PlaybackStatus.idle, .opening, .paused, .playing, .buffering, .ended, .failed])
  func whatAPlayerDoesForTheDisplay(_ status: PlaybackStatus) {
    let table: [PlaybackStatus: (video: DisplayHold.Playback, sound: DisplayHold.Playback)] = [
      .idle: (.still, .still), .opening: (.gap, .gap), .paused: (.still, .still),
      .playing: (.video, .still), .buffering: (.gap, .still), .ended: (.gap, .gap), .failed: (.gap, .gap),
    ]
    var state = PlayerState()
    state.status = status
    #expect(DisplayHold.Playback(state) == table[status]?.sound, "sound alone")
    state.videoSize = PixelSize(width: 16, height: 9)
    #expect(DisplayHold.Playback(state) == table[status]?.video)
    state.videoError = MediaError(kind: .unsupported, subject: "film", reason: "has no decoder")
    #expect(DisplayHold.Playback(state) == table[status]?.sound, "its video can't be shown")
    #expect(DisplayHold.Playback(nil) == .still)
  }
}
