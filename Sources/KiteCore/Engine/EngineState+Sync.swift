import KiteSystem

// The clock in step with what is heard.
extension EngineState {
  /// The sink may run: there is a stretch of sound in it, or all that there is.
  mutating func letSoundBegin(at now: MonotonicTime) -> Bool {
    guard sound?.sync.next != nil, sound?.sync.primed(at: now) == true else { return false }
    sound?.setRunning(true)
    return true
  }

  mutating func startWithoutSound(at now: MonotonicTime) {
    sound?.sync.stop()
    clock.setRate(rate, at: now)
    clock.start(at: now)
    subtitles.scene?.clockChanged()
    wakes.insert(.delivery)
  }

  /// Sets the clock by what is heard.
  mutating func syncSound(at now: MonotonicTime) {
    guard status.status == .playing, !awaitsFirstFrame, let sink = sound?.sink, let before = sound?.sync.mode
    else { return }
    let status = sink.status
    let correction = sound?.sync.look(status: status, anchor: sink.anchor, clock: clock, at: now) ?? .none
    switch correction {
    case .none: break
    case .start(let time, let rate):
      clock.setRate(rate, at: now)
      clock.start(at: time)
      subtitles.scene?.clockChanged()
    case .set(let position, let time): clock.set(position, at: time)
    case .changeRate(let rate, let time): clock.setRate(rate, at: min(time, now))
    }
    if correction != .none { wakes.insert(.delivery) }
    guard sound?.sync.mode == .silent, clock.isRunning else { return }
    if before != .silent {
      // Nobody hears it any more: the clock goes on alone.
      sound?.flush()
      sound?.setRunning(true)
      clock.setRate(rate, at: now)
    } else if status == .sounding, sound?.isDone == false {
      sound?.setRunning(false)
      sound?.flush()
      sound?.sync.join(at: now)
    }
  }

  func soundLook(at now: MonotonicTime) -> MonotonicTime? {
    guard status.status == .playing, !awaitsFirstFrame, let sound else { return nil }
    return sound.sync.nextLook(clock: clock, anchor: sound.sink.anchor, at: now)
  }

  func earliest(_ a: MonotonicTime?, _ b: MonotonicTime?) -> MonotonicTime? {
    guard let a, let b else { return a ?? b }
    return min(a, b)
  }
}
