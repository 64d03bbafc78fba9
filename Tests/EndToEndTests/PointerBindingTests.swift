import KiteSystem
import Testing

@testable import WaylandToolkit
@testable import kite_wl

/// What clicks and wheels mean to `kite-wl`.
@Suite struct PointerBindingTests {
  private let start = MonotonicTime(nanoseconds: 5_000_000_000)

  private func press(_ button: UInt32 = PointerEvent.leftButton, isPressed: Bool = true) -> PointerEvent {
    .button(code: button, isPressed: isPressed, serial: 0, at: SurfacePoint(x: 1, y: 1))
  }

  private func scroll(y: Double, steps120Y: Int) -> PointerEvent {
    var scroll = ScrollEvent()
    (scroll.y, scroll.steps120Y) = (y, steps120Y)
    return .scrolled(scroll)
  }

  /// What each of these clicks does, at these milliseconds.
  @Test(
    arguments: [
      ([0], [.playPause]),
      ([0, 500], [.playPause, .playPause]),
      // The second one undoes the first, so that a double click leaves playing as it was.
      ([0, 200], [.playPause, .fullscreen]),
      ([0, 400], [.playPause, .fullscreen]),
      ([0, 401], [.playPause, .playPause]),
      // Three are a double click and a click, four are two double clicks.
      ([0, 100, 200], [.playPause, .fullscreen, .playPause]),
      ([0, 100, 200, 300], [.playPause, .fullscreen, .playPause, .fullscreen]),
      ([0, 401, 600], [.playPause, .playPause, .fullscreen]),
    ] as [([Int64], [PointerBinding.Action])])
  func clicks(at times: [Int64], do expected: [PointerBinding.Action]) {
    var binding = PointerBinding()
    let actions = times.compactMap { binding.action(for: press(), at: start + $0 * 1_000_000) }
    #expect(actions == expected)
  }

  @Test func otherButtonsAndReleasesDoNothing() {
    var binding = PointerBinding()
    #expect(binding.action(for: press(isPressed: false), at: start) == nil)
    #expect(binding.action(for: press(PointerEvent.leftButton + 1), at: start) == nil)
    // Nor are they a part of a double click.
    #expect(binding.action(for: press(), at: start + 1_000_000) == .playPause)
  }

  @Test(
    arguments: [
      (120, 15.0, -5.0), (-120, -15, 5), (240, 30, -10), (30, 3.75, -1.25), (0, 15, -5), (0, -3, 1),
    ] as [(Int, Double, Double)])
  func aWheelTurnsTheVolume(steps120: Int, pixels: Double, hundredths: Double) {
    var binding = PointerBinding()
    let action = binding.action(for: scroll(y: pixels, steps120Y: steps120), at: start)
    #expect(action == .volume(by: hundredths))
  }

  @Test func sidewaysItDoesNothing() {
    var binding = PointerBinding()
    #expect(binding.action(for: scroll(y: 0, steps120Y: 0), at: start) == nil)
  }
}
