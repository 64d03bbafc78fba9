internal import KiteSystem
internal import Wayland

/// What happens at a vblank, and to buffers and feedback in between.
extension CompositorCore {
  /// One refresh of the screen: what is visible is shown, callbacks are answered, buffers go back.
  func vblank(at time: MonotonicTime) {
    vblankSequence += 1
    counts.vblanks += 1
    // Those inside first: a window waits for them.
    for surface in surfaces.reversed() { surface.applyReady(at: time) }
    for surface in surfaces { surface.applyReady(at: time) }
    // What was applied until now has this refresh to be seen.
    for surface in surfaces { surface.hasBarrier = false }
    for surface in surfaces where surface.isVisible { show(surface, at: time) }
    if releases != .withheld { releaseUnheld() }
  }

  private func show(_ surface: ServerSurface, at time: MonotonicTime) {
    if !surface.content.wasShown {
      surface.content.wasShown = true
      surface.counters.shown += 1
    }
    checkMemory(of: surface)
    let feedback = surface.content.feedback
    surface.content.feedback = []
    for resource in feedback {
      let answer = Feedback(
        resource: resource, isShown: true, isZeroCopy: isScannedOut(surface.content.buffer), time: time,
        sequence: vblankSequence)
      unansweredFeedback.append(answer)
    }
    if feedbackPolicy != .withheld { answerFeedback() }
    if !withholdsFrameCallbacks { answerFrameCallbacks(of: surface, at: time) }
  }

  private func isScannedOut(_ buffer: ServerBuffer?) -> Bool {
    guard case .dmabuf(_, let format, let modifier, _) = buffer?.content else { return false }
    return dmabuf.advice.scansOut(DmabufAdvice.Format(format, modifier: modifier))
  }

  private func checkMemory(of surface: ServerSurface) {
    guard let buffer = surface.content.buffer, surface.content.frozen == nil else { return }
    if buffer.wasWritten {
      report(
        .writtenWhileHeld, surface: surface.number, "buffer \(buffer.number) was written while it was shown")
    }
    if !buffer.resource.isAlive, buffer.hasMemory {
      report(
        .destroyedWhileShown, surface: surface.number,
        "buffer \(buffer.number) was destroyed while it was shown")
    }
  }

  func answerFrameCallbacks(of surface: ServerSurface, at time: MonotonicTime) {
    let callbacks = surface.content.frameCallbacks
    surface.content.frameCallbacks = []
    for callback in callbacks where callback.isAlive {
      counts.frameCallbacks += 1
      callback.sendDone(UInt32(truncatingIfNeeded: time.nanoseconds / 1_000_000))
      callback.destroy()
    }
  }

  // MARK: Feedback

  /// The content that the feedback is about was replaced before it was shown, or its surface ended.
  func discard(_ resource: WpPresentationFeedbackResource) {
    unansweredFeedback.append(Feedback(resource: resource, isShown: false, time: .now, sequence: 0))
    if feedbackPolicy != .withheld { answerFeedback() }
  }

  /// Answers everything, in the order of the contents or turned around.
  func answerFeedback(reversed: Bool = false) {
    let open = reversed ? unansweredFeedback.reversed() : unansweredFeedback
    unansweredFeedback = []
    for feedback in open where feedback.resource.isAlive { answer(feedback) }
  }

  private func answer(_ feedback: Feedback) {
    let resource = feedback.resource
    if feedback.isShown, feedbackPolicy != .discarded {
      counts.presented += 1
      for output in outputs.first?.resources ?? [] where output.client === resource.client {
        resource.sendSyncOutput(output)
      }
      let seconds = UInt64(max(0, feedback.time.nanoseconds)) / 1_000_000_000
      resource.sendPresented(
        tvSecHi: UInt32(seconds >> 32), tvSecLo: UInt32(truncatingIfNeeded: seconds),
        tvNsec: UInt32(UInt64(max(0, feedback.time.nanoseconds)) % 1_000_000_000),
        refresh: configuration.refresh,
        seqHi: UInt32(feedback.sequence >> 32), seqLo: UInt32(truncatingIfNeeded: feedback.sequence),
        flags: feedback.isZeroCopy ? [.vsync, .zeroCopy] : [.vsync])
    } else {
      counts.discarded += 1
      resource.sendDiscarded()
    }
    resource.destroy()
  }

  // MARK: Buffers

  /// A commit does not need the buffer any more.
  func letGo(_ buffer: ServerBuffer?) {
    guard let buffer, buffer.letGo() else { return }
    if buffer.wasWritten {
      report(.writtenWhileHeld, surface: nil, "buffer \(buffer.number) was written before its release")
    }
    guard buffer.isHeld else { return }
    unreleased.append(buffer)
  }

  /// Gives back what nothing shows any more.
  func releaseUnheld() {
    let waiting = unreleased
    unreleased = []
    for buffer in waiting {
      if buffer.wasWritten {
        report(.writtenWhileHeld, surface: nil, "buffer \(buffer.number) was written before its release")
      }
      if buffer.release() { counts.releases += 1 }
    }
  }
}
