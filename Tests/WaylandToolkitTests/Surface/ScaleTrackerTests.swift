import Testing

@testable import WaylandToolkit

@Suite struct ScaleTrackerTests {
  enum Step: Sendable {
    case fractional(UInt32)
    case preferred(Int32)
    case entered(Int, scale: Int)
    case left(Int)
    case changed(Int, scale: Int)
  }

  private func scale(after steps: [Step]) -> Int {
    var tracker = ScaleTracker<Int>()
    for step in steps {
      switch step {
      case .fractional(let scale): tracker.fractional(scale)
      case .preferred(let factor): tracker.preferred(factor)
      case .entered(let output, let scale): tracker.entered(output, scale: scale)
      case .left(let output): tracker.left(output)
      case .changed(let output, let scale): tracker.changed(output, scale: scale)
      }
    }
    return tracker.scale120
  }

  @Test(
    arguments: [
      ([], 120),
      ([.entered(1, scale: 2)], 240),
      ([.entered(1, scale: 1), .entered(2, scale: 3)], 360),
      ([.entered(1, scale: 1), .entered(2, scale: 3), .left(2)], 120),
      ([.entered(1, scale: 1), .changed(1, scale: 2)], 240),
      ([.changed(1, scale: 2)], 120),
      ([.entered(1, scale: 0)], 120),
      ([.entered(1, scale: 2), .preferred(1)], 120),
      ([.preferred(2), .entered(1, scale: 1)], 240),
      ([.preferred(2), .fractional(150)], 150),
      ([.fractional(180), .preferred(3), .entered(1, scale: 3)], 180),
      ([.fractional(180), .fractional(150)], 150),
    ] as [([Step], Int)])
  func theBestThatHasSpokenCounts(steps: [Step], expected: Int) {
    #expect(scale(after: steps) == expected)
  }

  @Test func aSurfaceOnNoOutputKeepsItsScale() {
    #expect(scale(after: [.entered(1, scale: 2), .left(1)]) == 240)
  }

  @Test func nonsenseCountsForNothing() {
    #expect(scale(after: [.fractional(0), .preferred(0), .preferred(-2), .fractional(.max)]) == 120)
    #expect(scale(after: [.preferred(2), .fractional(0)]) == 240)
  }

  @Test func theOutputsAreThoseItIsOn() {
    var tracker = ScaleTracker<Int>()
    tracker.entered(1, scale: 1)
    tracker.entered(2, scale: 1)
    tracker.left(1)
    tracker.left(9)
    #expect(tracker.outputs == [2])
  }
}
