import Testing
import Wayland

@testable import WaylandToolkit

@Suite struct PointerFrameTests {
  private func steps(_ events: [WlPointer.Event], version: UInt32 = 8) -> [PointerFrame<Int>.Step] {
    var frame = PointerFrame<Int>(version: version)
    return events.flatMap { frame.receive($0) { _ in 1 } }
  }

  private let surface = WlSurface.inert()

  @Test func nothingIsToldBeforeTheFrame() {
    let motion = WlPointer.Event.motion(time: 0, surfaceX: 3, surfaceY: 4)
    #expect(steps([motion]) == [])
    #expect(steps([motion, .frame]) == [.happened(.moved(SurfacePoint(x: 3, y: 4)))])
  }

  @Test func beforeVersionFiveEachEventIsAFrame() {
    #expect(
      steps([.motion(time: 0, surfaceX: 3, surfaceY: 4)], version: 4) == [
        .happened(.moved(SurfacePoint(x: 3, y: 4)))
      ])
  }

  @Test func movementsInARowBecomeTheLast() {
    let events: [WlPointer.Event] = [
      .motion(time: 0, surfaceX: 1, surfaceY: 1), .motion(time: 1, surfaceX: 2.5, surfaceY: 2),
      .button(serial: 9, time: 2, button: 0x110, state: .pressed),
      .motion(time: 3, surfaceX: 3, surfaceY: 3), .frame,
    ]
    #expect(
      steps(events) == [
        .happened(.moved(SurfacePoint(x: 2.5, y: 2))),
        .happened(.button(code: 0x110, isPressed: true, serial: 9, at: SurfacePoint(x: 2.5, y: 2))),
        .happened(.moved(SurfacePoint(x: 3, y: 3))),
      ])
  }

  @Test func enteringAndLeavingAreToldInTheirOrder() {
    let events: [WlPointer.Event] = [
      .leave(serial: 1, surface: surface), .enter(serial: 2, surface: surface, surfaceX: 5, surfaceY: 6),
      .frame,
    ]
    #expect(steps(events) == [.left(1), .entered(1, SurfacePoint(x: 5, y: 6), serial: 2)])
  }

  @Test func aSurfaceThatIsGoneIsLeftOut() {
    #expect(steps([.leave(serial: 1, surface: nil), .frame]) == [])
  }

  @Test func bothAxesOfAFrameAreOneScroll() {
    let events: [WlPointer.Event] = [
      .axisSource(axisSource: .wheel),
      .axisValue120(axis: .verticalScroll, value120: 120), .axis(time: 0, axis: .verticalScroll, value: 15),
      .axisValue120(axis: .horizontalScroll, value120: -30),
      .axis(time: 0, axis: .horizontalScroll, value: -4), .frame,
    ]
    let scroll = ScrollEvent(x: -4, y: 15, steps120X: -30, steps120Y: 120, source: .wheel)
    #expect(steps(events) == [.happened(.scrolled(scroll))])
  }

  @Test func aClickBeforeVersionEightCounts120Steps() {
    let events: [WlPointer.Event] = [
      .axisDiscrete(axis: .verticalScroll, discrete: -2), .axis(time: 0, axis: .verticalScroll, value: -30),
      .frame,
    ]
    #expect(steps(events, version: 5) == [.happened(.scrolled(ScrollEvent(y: -30, steps120Y: -240)))])
  }

  @Test func aLiftedFingerEndsTheScroll() {
    let events: [WlPointer.Event] = [
      .axisSource(axisSource: .finger), .axisStop(time: 0, axis: .verticalScroll), .frame,
    ]
    #expect(steps(events) == [.happened(.scrolled(ScrollEvent(source: .finger, isEnd: true)))])
  }
}
