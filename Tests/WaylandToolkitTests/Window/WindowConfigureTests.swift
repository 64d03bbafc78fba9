import Testing

@testable import WaylandToolkit

@Suite struct WindowConfigureTests {
  private static let own = LogicalSize(width: 640, height: 360)

  private func machine(minimum: LogicalSize = LogicalSize(width: 64, height: 36)) -> WindowConfigure {
    WindowConfigure(size: Self.own, minimumSize: minimum)
  }

  /// A window that has been configured once, with a size of its own.
  private func shown() -> WindowConfigure {
    var machine = machine()
    _ = machine.show()
    machine.toplevelConfigured(width: 0, height: 0, state: [])
    machine.surfaceConfigured(1)
    _ = machine.next()
    return machine
  }

  private func draw(_ width: Int, _ height: Int, _ state: WindowState = [], ack: UInt32?)
    -> WindowConfigure.Action
  {
    .draw(.init(size: LogicalSize(width: width, height: height), state: state), ack: ack)
  }

  @Test func theFirstCommitCarriesNothingAndIsDoneOnce() {
    var machine = machine()
    #expect(machine.show() == .commitEmpty)
    #expect(machine.show() == .nothing)
  }

  @Test func nothingIsDrawnBeforeTheFirstConfigure() {
    var machine = machine()
    machine.invalidate()
    #expect(machine.next() == .nothing)
    _ = machine.show()
    machine.invalidate()
    #expect(machine.next() == .nothing)
    #expect(!machine.isConfigured)
  }

  @Test func aConfigureIsAckedAndDrawnOnce() {
    var machine = machine()
    _ = machine.show()
    machine.toplevelConfigured(width: 800, height: 450, state: .activated)
    machine.surfaceConfigured(7)
    #expect(machine.next() == draw(800, 450, .activated, ack: 7))
    #expect(machine.isConfigured)
    #expect(machine.next() == .nothing)
  }

  @Test func aStormOfConfiguresIsAnsweredByTheLastOnly() {
    var machine = shown()
    for serial in 2...200 as ClosedRange<UInt32> {
      machine.toplevelConfigured(width: Int32(400 + serial), height: 300, state: .resizing)
      machine.surfaceConfigured(serial)
    }
    #expect(machine.next() == draw(600, 300, .resizing, ack: 200))
    #expect(machine.next() == .nothing)
  }

  @Test func aToplevelConfigureCountsOnlyWithItsSurfaceConfigure() {
    var machine = shown()
    machine.toplevelConfigured(width: 900, height: 500, state: [])
    #expect(machine.next() == .nothing)
    machine.surfaceConfigured(2)
    #expect(machine.next() == draw(900, 500, ack: 2))
  }

  /// asked by the compositor, own, minimum, bound → chosen
  @Test(arguments: [
    (0, 640, 64, 0, 640), (800, 640, 64, 0, 800), (0, 640, 64, 500, 500), (0, 640, 700, 0, 700),
    (20, 640, 64, 0, 20), (0, 640, 64, 900, 640), (900, 640, 64, 500, 900), (0, 0, 0, 0, 1),
    (-5, 640, 64, 0, 640), (0, 1_000_000, 64, 0, 65_535),
  ])
  func aWidthOfZeroLeavesTheChoiceToTheWindow(asked: Int, own: Int, minimum: Int, bound: Int, chosen: Int) {
    var machine = WindowConfigure(
      size: LogicalSize(width: own, height: 360), minimumSize: LogicalSize(width: minimum, height: 36))
    _ = machine.show()
    machine.boundsConfigured(width: Int32(bound), height: 0)
    machine.toplevelConfigured(width: Int32(asked), height: 200, state: [])
    machine.surfaceConfigured(1)
    #expect(machine.next() == draw(chosen, 200, ack: 1))
  }

  @Test(arguments: [WindowState.fullscreen, .maximized, .tiledLeft])
  func theFloatingSizeComesBackAfter(_ state: WindowState) {
    var machine = shown()
    machine.toplevelConfigured(width: 1920, height: 1080, state: state)
    machine.surfaceConfigured(2)
    #expect(machine.next() == draw(1920, 1080, state, ack: 2))
    machine.toplevelConfigured(width: 0, height: 0, state: [])
    machine.surfaceConfigured(3)
    #expect(machine.next() == draw(640, 360, ack: 3))
  }

  @Test func aSizeThatTheUserDraggedToIsTheFloatingSize() {
    var machine = shown()
    machine.toplevelConfigured(width: 700, height: 400, state: .resizing)
    machine.surfaceConfigured(2)
    _ = machine.next()
    machine.toplevelConfigured(width: 0, height: 0, state: [])
    machine.surfaceConfigured(3)
    #expect(machine.next() == draw(700, 400, ack: 3))
  }

  @Test func aChangeOfTheContentIsDrawnWithoutAnAck() {
    var machine = shown()
    machine.invalidate()
    machine.invalidate()
    #expect(machine.next() == draw(640, 360, ack: nil))
    #expect(machine.next() == .nothing)
  }

  @Test func aWishedSizeCountsWhileFloatingAndNotInFullscreen() {
    var machine = shown()
    machine.toplevelConfigured(width: 640, height: 360, state: .activated)
    machine.surfaceConfigured(2)
    _ = machine.next()
    machine.resize(LogicalSize(width: 800, height: 450))
    #expect(machine.next() == draw(800, 450, .activated, ack: nil))
    machine.toplevelConfigured(width: 1920, height: 1080, state: .fullscreen)
    machine.surfaceConfigured(3)
    _ = machine.next()
    machine.resize(LogicalSize(width: 100, height: 100))
    #expect(machine.next() == draw(1920, 1080, .fullscreen, ack: nil))
  }

  @Test func aHiddenWindowForgetsWhatItWasToldAndStartsAnew() {
    var machine = shown()
    machine.toplevelConfigured(width: 1920, height: 1080, state: .fullscreen)
    machine.surfaceConfigured(2)
    machine.hide()
    #expect(machine.next() == .nothing)
    #expect(!machine.isConfigured)
    machine.surfaceConfigured(3)
    #expect(machine.next() == .nothing)
    #expect(machine.show() == .commitEmpty)
    machine.surfaceConfigured(4)
    #expect(machine.next() == draw(640, 360, ack: 4))
  }

  @Test func statesThatNobodyKnowsAreLeftOut() {
    let numbers: [UInt32] = [2, 4, 9, 77, 0, 31, 32]
    let bytes = numbers.withUnsafeBytes { [UInt8]($0) }
    #expect(WindowState(wire: bytes + [1]) == [.fullscreen, .activated, .suspended])
  }
}
