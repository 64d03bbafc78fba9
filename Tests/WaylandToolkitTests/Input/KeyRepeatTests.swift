import KiteSystem
import Testing

@testable import WaylandToolkit

@Suite struct KeyRepeatTests {
  private func at(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: milliseconds * 1_000_000)
  }

  /// 20 a second after half a second.
  private func machine() -> KeyRepeat {
    var machine = KeyRepeat()
    machine.configured(rate: 20, delay: 500)
    return machine
  }

  @Test func aHeldKeyRepeatsAfterTheDelayAtTheRate() {
    var machine = machine()
    machine.pressed(30, at: at(0))
    #expect(machine.deadline == at(500))
    #expect(machine.fired(at: at(499)) == nil)
    #expect(machine.fired(at: at(500)) == 30)
    #expect(machine.deadline == at(550))
    #expect(machine.fired(at: at(551)) == 30)
    #expect(machine.deadline == at(600))
  }

  @Test func whatAStalledProgramMissedIsNotMadeUpFor() {
    var machine = machine()
    machine.pressed(30, at: at(0))
    #expect(machine.fired(at: at(5_000)) == 30)
    #expect(machine.deadline == at(5_050))
    #expect(machine.fired(at: at(5_000)) == nil)
  }

  @Test func lettingGoEndsItAndAnotherKeysReleaseDoesNot() {
    var machine = machine()
    machine.pressed(30, at: at(0))
    machine.released(31)
    #expect(machine.deadline == at(500))
    machine.released(30)
    #expect(machine.deadline == nil)
    #expect(machine.fired(at: at(600)) == nil)
  }

  @Test func theKeyThatWentDownLastRepeats() {
    var machine = machine()
    machine.pressed(30, at: at(0))
    machine.pressed(31, at: at(100))
    #expect(machine.fired(at: at(600)) == 31)
  }

  @Test func aRateOfZeroMeansNone() {
    var machine = machine()
    machine.pressed(30, at: at(0))
    machine.configured(rate: 0, delay: 500)
    #expect(machine.deadline == nil)
    machine.pressed(30, at: at(0))
    #expect(machine.deadline == nil)
  }

  @Test func aKeyboardThatLeavesStopsRepeating() {
    var machine = machine()
    machine.pressed(30, at: at(0))
    machine.stop()
    #expect(machine.deadline == nil)
  }

  @Test func nonsenseNeitherSpinsNorTraps() {
    var machine = KeyRepeat()
    machine.configured(rate: .max, delay: -1)
    machine.pressed(1, at: at(0))
    #expect(machine.fired(at: at(0)) == 1)
    #expect(machine.deadline == at(1))
  }
}
