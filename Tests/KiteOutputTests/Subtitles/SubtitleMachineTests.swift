import KiteCore
import Testing

@testable import KiteOutput

@Suite struct SubtitleMachineTests {
  private let canvas = SubtitleCanvas(
    size: PixelSize(width: 100, height: 50), picture: PixelRect(x: 0, y: 0, width: 100, height: 50),
    storage: PixelSize(width: 100, height: 50))

  private func key(_ marks: [Int], at instant: MediaTime? = nil, plane: Int = 1) -> SubtitleMachine.Key {
    SubtitleMachine.Key(plane: plane, marks: marks, instant: instant, canvas: canvas)
  }

  /// `#expect` evaluates in a closure, which can't change the machine.
  private func expect(_ holds: Bool, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(holds, sourceLocation: sourceLocation)
  }

  @Test func textIsDrawnOnceAndShownWithItsPicture() {
    var machine = SubtitleMachine()
    expect(machine.commit(key([])) == .keep)
    expect(machine.want(key([1])))
    // Another picture goes out meanwhile; one drawing at a time.
    expect(!machine.want(key([1])))
    expect(machine.commit(key([])) == .keep)
    machine.drawn()
    expect(!machine.want(key([1])))
    expect(machine.commit(key([])) == .keep)
    expect(machine.commit(key([1])) == .show)
    expect(machine.commit(key([1])) == .keep)
    expect(!machine.want(key([1])))
    expect(machine.commit(key([])) == .hide)
    expect(machine.commit(key([])) == .keep)
  }

  @Test func aPictureDoesNotWaitForItsText() {
    var machine = SubtitleMachine()
    expect(machine.want(key([1])))
    expect(machine.commit(key([1])) == .keep)
    machine.drawn()
    expect(machine.commit(key([1])) == .show)
  }

  @Test func whatIsOverGoesThoughTheNextIsNotDrawn() {
    var machine = SubtitleMachine()
    _ = machine.want(key([1]))
    machine.drawn()
    _ = machine.commit(key([1]))
    _ = machine.want(key([2]))
    expect(machine.commit(key([2])) == .hide)
    machine.drawn()
    expect(machine.commit(key([2])) == .show)
    // One more line: what was there stays until both are drawn.
    _ = machine.want(key([2, 3]))
    expect(machine.commit(key([2, 3])) == .keep)
    // Of another track nothing stays.
    expect(machine.commit(key([2], plane: 2)) == .hide)
  }

  @Test func motionIsShownAMomentLateRatherThanNotAtAll() {
    var machine = SubtitleMachine()
    expect(machine.want(key([1], at: MediaTime(seconds: 1))))
    machine.drawn()
    expect(machine.commit(key([1], at: MediaTime(seconds: 1.04))) == .show)
    expect(machine.want(key([1], at: MediaTime(seconds: 1.08))))
    expect(machine.commit(key([1], at: MediaTime(seconds: 1.08))) == .keep)
  }

  @Test func whatCouldNotBeDrawnIsDrawnAgain() {
    var machine = SubtitleMachine()
    expect(machine.want(key([1])))
    machine.drawn(hasFailed: true)
    expect(machine.commit(key([1])) == .keep)
    expect(machine.want(key([1])))
  }
}
