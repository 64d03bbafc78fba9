import Glibc
import KiteCore
import KiteSystem
import KiteViews
import Wayland

// What the compositor says of committed frames.
extension Presenter {
  func expectFate(
    of number: UInt64, on surface: WlSurface, at now: MonotonicTime, isRepaint: Bool
  ) {
    let feedback = connection?.presentation?.feedback(surface)
    feedback?.onEvent = { [weak self] event in self?.received(event, of: number) }
    if !isRepaint { settle(fates.committed(number, at: now, expectsFeedback: feedback != nil)) }
  }

  func callback(of number: UInt64?) {
    pictureIsShown()
    if let number { settle(fates.callback(number)) }
  }

  private func received(_ event: WpPresentationFeedback.Event, of number: UInt64) {
    switch event {
    case .syncOutput: break
    case .presented(
      let high, let low, let nanoseconds, let refresh, let sequenceHigh, let sequenceLow, let flags):
      pictureIsShown()
      // A callback that got lost stops nothing where there is better evidence.
      if number == commits { gate.callback(of: gate.latest) }
      // Zero where the output counts no vblanks.
      let sequence = UInt64(sequenceHigh) << 32 | UInt64(sequenceLow)
      notePresentation(
        of: number, seconds: UInt64(high) << 32 | UInt64(low), nanoseconds, refresh: refresh,
        sequence: sequence > 0 && flags.contains(.hwClock) ? sequence : nil)
      link.updateDiagnostics {
        $0.isZeroCopy = flags.contains(.zeroCopy)
        if $0.isZeroCopy { $0.zeroCopyFrames += 1 }
        $0.refresh = refresh == 0 ? nil : Int64(refresh)
      }
      settle(fates.presented(number))
      noteRung(at: .now)
    case .discarded:
      intents[number] = nil
      settle(fates.discarded(number, newest: commits))
    }
  }

  /// Takes what the compositor says of a frame's time for the pace of those to come.
  private func notePresentation(
    of number: UInt64, seconds: UInt64, _ nanoseconds: UInt32, refresh: UInt32, sequence: UInt64?
  ) {
    let intent = intents.removeValue(forKey: number)
    guard let clock = connection?.presentationClock, seconds < UInt64(Int32.max) else { return }
    let time = MonotonicTime(
      nanoseconds: Int64(seconds) * 1_000_000_000 + Int64(nanoseconds), onClock: clock)
    pacer.presented(at: time, refresh: Int64(refresh), aim: intent?.aim)
    if let intent { link.record(intent, presentedAt: time, sequence: sequence, period: pacer.period) }
    queue.presented(number, at: time)
    let tally = pacer.tally
    link.updateDiagnostics {
      $0.vblanks = RendererDiagnostics.VblankTally(
        onTime: tally.onTime, oneLate: tally.oneLate, moreLate: tally.moreLate, early: tally.early)
    }
  }
}
