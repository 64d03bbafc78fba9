import Kite

/// Tells double clicks from clicks, and counts the clicks of a wheel.
struct PointerBinding {
  enum Action: Hashable {
    case playPause
    /// The click before was none: this is a double click.
    case fullscreen
    /// Hundredths of the full volume more, or less.
    case volume(by: Double)
  }

  /// Two clicks within so many nanoseconds are a double click.
  private static let doubleClick: Int64 = 400_000_000
  private var lastClick: MonotonicTime?

  mutating func action(for event: PointerEvent, at now: MonotonicTime) -> Action? {
    switch event {
    case .button(PointerEvent.leftButton, isPressed: true, _, _):
      if let last = lastClick, now - last <= Self.doubleClick {
        lastClick = nil
        return .fullscreen
      }
      lastClick = now
      return .playPause
    case .scrolled(let scroll):
      // A wheel's click is 5 hundredths, and so are 15 pixels of a finger.
      let steps = scroll.steps120Y != 0 ? Double(scroll.steps120Y) / 120 : scroll.y / 15
      return steps == 0 ? nil : .volume(by: -5 * steps)
    default: return nil
    }
  }
}

extension PlayerApp {
  func pointed(_ event: PointerEvent) {
    switch pointer.action(for: event, at: .now) {
    case .playPause: playOrPause()
    case .fullscreen:
      playOrPause()
      toggleFullscreen()
    case .volume(let hundredths): changeVolume(by: hundredths)
    case nil: break
    }
  }
}
