import KiteSystem
import Testing

@testable import KiteCore

/// Notes every state of a player.
final class StateLog: Sendable {
  private final class Box: Sendable {
    let states = Locked<[PlayerState]>([])
  }

  private let box: Box
  private let observation: StateObservation

  init(_ player: KitePlayer) {
    let box = Box()
    self.box = box
    observation = player.observe { state in box.states.withLock { $0.append(state) } }
  }

  var states: [PlayerState] { box.states.withLock { $0 } }
  var statuses: [PlaybackStatus] { states.map(\.status) }

  /// What holds of every sequence of states.
  func check() {
    let states = self.states
    for (older, newer) in zip(states, states.dropFirst()) {
      #expect(newer.version == older.version + 1)
    }
    for state in states {
      #expect((state.error != nil) == (state.status == .failed))
      #expect(state.position >= .zero)
      if state.status == .ended, let duration = state.duration { #expect(state.position == duration) }
      if state.status == .idle { #expect(state.duration == nil && state.videoSize == nil) }
    }
  }
}
