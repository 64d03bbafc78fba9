import KiteSystem

extension EngineState {
  /// Whether the first of the frames that wait is not wanted before the delivery thread wakes by itself.
  var isExpected: Bool {
    guard let expected = handover.expected, let pts = timing(ofFrame: 0)?.pts else { return false }
    guard pts != .unknown, let due = clock.time(of: pts) else { return true }
    return due.advanced(by: -leads.wanted) >= expected.advanced(by: -Handover.tolerance)
  }

  /// Frames that may wait: those that the renderer has been given early wait there.
  var roomForFrames: Int {
    leads.earliest > leads.wanted ? max(min(2, frameLimit), frameLimit - 1) : frameLimit
  }

  /// Takes what the renderer gives back in front of the frames that wait.
  mutating func takeBack(_ taken: inout RingBuffer<TimedFrame>, generation: UInt64) {
    defer { handover.forget() }
    guard let oldest = taken.withElement(at: 0, { $0.target }) else { return }
    let before = handover.state(before: oldest)
    statistics.deliveredFrames -= taken.count
    guard generation == self.generation, !isStopping, hasVideo, let before,
      before.offsets.count == taken.count
    else {
      statistics.discardedFrames += taken.count
      return
    }
    schedule = before.schedule
    for offset in before.offsets.reversed() {
      guard let frame = taken.popLast() else { break }
      guard frames.prepend(frame.takeFrame()) == nil else {
        statistics.discardedFrames += 1
        continue
      }
      frameOffsets.insert(offset, at: 0)
      statistics.waitingFrames += 1
    }
    wakes.insert(.delivery)
  }

  func timing(ofFrame index: Int) -> FrameSchedule.Timing? {
    frames.withElement(at: index) {
      let pts = $0.properties.pts
      return FrameSchedule.Timing(
        pts: pts == .unknown ? pts : pts + frameOffsets[index], duration: $0.properties.duration)
    }
  }

  mutating func takeFrame() -> VideoFrame? {
    let frame = frames.popFirst()
    if frame != nil { frameOffsets.removeFirst() }
    if !handover.isUnderWay { wakeDecoder() }
    return frame
  }

  /// What was to be handed over now has been.
  mutating func endHandover() {
    guard handover.isUnderWay else { return }
    handover.isUnderWay = false
    wakeDecoder()
  }

  /// Two decoded at a time: half the wake-ups.
  private mutating func wakeDecoder() {
    if frames.count <= frameLimit / 2 { wakes.insert(.decoder) }
  }

  mutating func note(lateness: Int64) {
    catchUp.frame(lateness: lateness, duration: clock.span(of: schedule.frameDuration))
    // Who has seen no second keyframe can't count on another one.
    if !hasManyKeyframes, catchUp.seeksKeyframe { catchUp.foundKeyframe() }
  }
}
