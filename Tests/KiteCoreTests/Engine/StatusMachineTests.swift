import Testing

@testable import KiteCore

@Suite struct StatusMachineTests {
  struct Row: Sendable {
    let path: [StatusMachine.Event]
    let event: StatusMachine.Event
    let status: PlaybackStatus
    let action: StatusMachine.Action

    init(
      _ path: [StatusMachine.Event], _ event: StatusMachine.Event, _ status: PlaybackStatus,
      _ action: StatusMachine.Action
    ) {
      self.path = path
      self.event = event
      self.status = status
      self.action = action
    }
  }

  static let broken = MediaError(kind: .unreadable, subject: "film", reason: "broke")

  static let rows: [Row] = {
    let paused: [StatusMachine.Event] = [.ready]
    let playing: [StatusMachine.Event] = [.play, .ready]
    let buffering = playing + [.starved]
    let ended = playing + [.reachedEnd]
    let restarting = ended + [.play]
    let restartingPaused = restarting + [.pause]
    let restartingStarved = restarting + [.starved]
    let failed: [StatusMachine.Event] = [.failed(broken)]
    return [
      // Opening
      Row([], .play, .opening, .none), Row([], .pause, .opening, .none),
      Row([], .ready, .paused, .none), Row([.play], .ready, .playing, .startClock),
      Row([.play, .pause], .ready, .paused, .none), Row([], .failed(broken), .failed, .giveUp),
      Row([], .starved, .opening, .none), Row([], .reachedEnd, .opening, .none),
      // Paused
      Row(paused, .play, .playing, .startClock), Row(paused, .pause, .paused, .none),
      Row(paused, .starved, .paused, .none), Row(paused, .refilled, .paused, .none),
      Row(paused, .reachedEnd, .paused, .none), Row(paused, .failed(broken), .failed, .giveUp),
      // Playing
      Row(playing, .pause, .paused, .freezeClock), Row(playing, .play, .playing, .none),
      Row(playing, .starved, .buffering, .freezeClock), Row(playing, .refilled, .playing, .none),
      Row(playing, .reachedEnd, .ended, .stopAtEnd), Row(playing, .failed(broken), .failed, .giveUp),
      // Buffering
      Row(buffering, .refilled, .playing, .startClock), Row(buffering, .pause, .paused, .freezeClock),
      Row(buffering, .play, .buffering, .none), Row(buffering, .starved, .buffering, .none),
      Row(buffering, .reachedEnd, .ended, .stopAtEnd), Row(buffering, .failed(broken), .failed, .giveUp),
      // Jumps: the clock stands until the picture is there.
      Row([], .jumped, .opening, .none), Row(playing, .jumped, .playing, .none),
      Row(paused, .jumped, .paused, .none), Row(buffering, .jumped, .playing, .none),
      Row(ended, .jumped, .paused, .none), Row(playing + [.jumped], .ready, .playing, .startClock),
      Row(paused + [.jumped], .play, .playing, .none), Row(ended + [.jumped], .ready, .paused, .none),
      Row([.failed(broken)], .jumped, .failed, .none),
      // Ended
      Row(ended, .pause, .ended, .none), Row(ended, .play, .playing, .restart),
      Row(ended, .starved, .ended, .none), Row(ended, .failed(broken), .failed, .giveUp),
      // Starting over, the first frame not there yet: the clock stands.
      Row(restarting, .ready, .playing, .startClock), Row(restarting, .pause, .paused, .freezeClock),
      Row(restarting, .starved, .buffering, .freezeClock),
      Row(restarting, .restartRefused, .ended, .stopAtEnd),
      Row(restarting, .reachedEnd, .ended, .stopAtEnd),
      Row(restartingPaused, .play, .playing, .none), Row(restartingPaused, .ready, .paused, .none),
      Row(restartingPaused, .restartRefused, .ended, .stopAtEnd),
      Row(restartingStarved, .refilled, .playing, .none),
      Row(restartingStarved, .ready, .playing, .startClock),
      Row(restartingStarved, .restartRefused, .ended, .stopAtEnd),
      // Failed: nothing changes it.
      Row(failed, .play, .failed, .none), Row(failed, .ready, .failed, .none),
      Row(failed, .failed(broken), .failed, .none), Row(failed, .reachedEnd, .failed, .none),
    ]
  }()

  @Test(arguments: rows.indices) func everyEventInEveryStatus(index: Int) {
    let row = Self.rows[index]
    var machine = StatusMachine(wantsPlay: false)
    for event in row.path { _ = machine.event(event) }
    #expect(machine.event(row.event) == row.action)
    #expect(machine.status == row.status)
    #expect((machine.error != nil) == (row.status == .failed))
  }

  @Test func playsWhenReadyIsAPlayBeforeTheOpening() {
    var machine = StatusMachine(wantsPlay: true)
    #expect(machine.event(.ready) == .startClock)
    #expect(machine.status == .playing)
  }
}
