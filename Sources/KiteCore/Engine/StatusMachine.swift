/// The status of one open item, and what its clock is to do when the status changes.
struct StatusMachine {
  private enum State {
    case opening(wantsPlay: Bool)
    /// `isReady`: the first frame since the last jump is shown; until then the clock stands.
    case paused(isReady: Bool)
    case playing(isReady: Bool)
    case buffering(isReady: Bool)
    case ended
    case failed(MediaError)
  }

  enum Event {
    case play
    case pause
    /// The first frame since opening or since a jump is shown; without video: the item is open.
    case ready
    /// There is nothing to show, nothing to decode, and the source is slow.
    case starved
    /// There is enough again.
    case refilled
    /// The last frame has had its time.
    case reachedEnd
    /// The source can't go back to its start.
    case restartRefused
    /// The position changed by a jump: the picture there is not shown yet.
    case jumped
    case failed(MediaError)
  }

  enum Action: Hashable {
    case none
    case startClock
    case freezeClock
    /// Hold the clock where nothing more comes.
    case stopAtEnd
    /// Go to the start; the clock waits for the first frame.
    case restart
    /// Nothing is needed any more: the threads may end.
    case giveUp
  }

  private var state: State

  init(wantsPlay: Bool) { state = .opening(wantsPlay: wantsPlay) }

  var status: PlaybackStatus {
    switch state {
    case .opening: .opening
    case .paused: .paused
    case .playing: .playing
    case .buffering: .buffering
    case .ended: .ended
    case .failed: .failed
    }
  }

  var error: MediaError? {
    if case .failed(let error) = state { return error }
    return nil
  }

  mutating func event(_ event: Event) -> Action {
    switch (state, event) {
    case (.failed, _):
      return .none
    case (_, .failed(let error)):
      state = .failed(error)
      return .giveUp

    case (.opening, .play):
      state = .opening(wantsPlay: true)
    case (.opening, .pause):
      state = .opening(wantsPlay: false)
    case (.opening(let wantsPlay), .ready):
      state = wantsPlay ? .playing(isReady: true) : .paused(isReady: true)
      return wantsPlay ? .startClock : .none

    case (.paused(let isReady), .play):
      state = .playing(isReady: isReady)
      return isReady ? .startClock : .none
    case (.paused, .ready):
      state = .paused(isReady: true)

    case (.playing(let isReady), .pause), (.buffering(let isReady), .pause):
      state = .paused(isReady: isReady)
      return .freezeClock
    case (.playing, .ready), (.buffering, .ready):
      state = .playing(isReady: true)
      return .startClock
    case (.playing(let isReady), .starved):
      state = .buffering(isReady: isReady)
      return .freezeClock
    case (.buffering(let isReady), .refilled):
      state = .playing(isReady: isReady)
      return isReady ? .startClock : .none
    case (.playing, .reachedEnd), (.buffering, .reachedEnd), (.paused(isReady: false), .reachedEnd):
      state = .ended
      return .stopAtEnd

    case (.playing, .jumped), (.buffering, .jumped):
      state = .playing(isReady: false)
    case (.paused, .jumped), (.ended, .jumped):
      state = .paused(isReady: false)

    case (.ended, .play):
      state = .playing(isReady: false)
      return .restart
    case (.playing(isReady: false), .restartRefused), (.paused(isReady: false), .restartRefused),
      (.buffering(isReady: false), .restartRefused):
      state = .ended
      return .stopAtEnd

    default:
      break
    }
    return .none
  }
}
