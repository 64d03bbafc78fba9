import KiteSystem
import Testing

@testable import KiteCore

@Suite struct SeekMachineTests {
  private func request(_ milliseconds: Int64, _ mode: SeekMode = .precise) -> SeekMachine.Request {
    SeekMachine.Request(time: .ms(milliseconds), mode: mode)
  }

  @Test func aPreciseSeekLooksForItsPictureAndEndsWithIt() {
    var machine = SeekMachine()
    #expect(machine.request(request(500), at: .ms(0)) == .jump(to: .ms(500)))
    #expect(machine.aim == .ms(500) && machine.isSeeking)
    #expect(machine.shown(at: .ms(10)) == .finish)
    #expect(machine.aim == nil && !machine.isSeeking && machine.destination == nil)
  }

  @Test func aKeyframeSeekTakesAnyPicture() {
    var machine = SeekMachine()
    #expect(machine.request(request(500, .keyframe), at: .ms(0)) == .jump(to: .ms(500)))
    #expect(machine.aim == nil && machine.isSeeking)
    #expect(machine.shown(at: .ms(10)) == .finish)
  }

  @Test func scrubbingShowsTheKeyframeThenTheExactPicture() {
    var machine = SeekMachine()
    _ = machine.request(request(500, .scrub), at: .ms(0))
    #expect(machine.aim == nil)
    #expect(machine.shown(at: .ms(10)) == .refine)
    #expect(machine.aim == .ms(500) && machine.isSeeking)
    #expect(machine.shown(at: .ms(20)) == .finish)
  }

  @Test func aNewSeekWaitsForAPictureOfTheOldOneWhichMayBeAny() {
    var machine = SeekMachine()
    _ = machine.request(request(500), at: .ms(0))
    #expect(machine.request(request(600), at: .ms(10)) == .none)
    #expect(machine.request(request(700), at: .ms(20)) == .none)
    #expect(machine.aim == nil)
    #expect(machine.destination == .ms(700))
    #expect(machine.shown(at: .ms(30)) == .jump(to: .ms(700)))
    #expect(machine.aim == .ms(700))
    #expect(machine.shown(at: .ms(40)) == .finish)
  }

  @Test func aSeekThatShowsNothingIsReplacedAllTheSame() {
    let patience = MediaTime(nanoseconds: SeekMachine.patience)
    var machine = SeekMachine()
    _ = machine.request(request(500), at: .ms(0))
    #expect(machine.deadline == nil)
    _ = machine.request(request(600), at: .ms(10))
    #expect(machine.deadline == .ms(0) + patience.nanoseconds)
    #expect(machine.tick(.ms(0) + patience.nanoseconds - 1) == .none)
    #expect(machine.tick(.ms(0) + patience.nanoseconds) == .jump(to: .ms(600)))
    #expect(machine.deadline == nil)
    // And at once by one that comes later still.
    #expect(machine.request(request(700), at: .ms(5000)) == .jump(to: .ms(700)))
  }

  @Test func whatCanNotBeFoundIsGivenUp() {
    var machine = SeekMachine()
    _ = machine.request(request(500), at: .ms(0))
    machine.giveUp()
    #expect(!machine.isSeeking && machine.destination == nil)
    #expect(machine.shown(at: .ms(10)) == .none)
  }
}
