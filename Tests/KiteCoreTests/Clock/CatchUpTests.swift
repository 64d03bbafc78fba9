import KiteSystem
import Testing

@testable import KiteCore

@Suite struct CatchUpTests {
  private static let duration: Int64 = 40_000_000

  private static func catchUp(after lateness: [Int64], duration: Int64 = duration) -> CatchUp {
    var catchUp = CatchUp()
    for value in lateness { catchUp.frame(lateness: value * 1_000_000, duration: duration) }
    return catchUp
  }

  @Test(
    arguments: [
      ([], false), ([0, 50, 99, 99, 99], false), ([100], true), ([100, 40], true), ([100, 5], true),
      ([100, 4], false), ([100, -20], false), ([100, 4, 99], false), ([100, 4, 100], true),
    ] as [([Int64], Bool)])
  func skipsFromATenthOfASecondUntilInTime(lateness: [Int64], skips: Bool) {
    #expect(Self.catchUp(after: lateness).skipsNonReferenceFrames == skips)
  }

  @Test func latenessBelowAFramesDurationIsNone() {
    #expect(!Self.catchUp(after: [999], duration: 1_000_000_000).skipsNonReferenceFrames)
    #expect(Self.catchUp(after: [1000], duration: 1_000_000_000).skipsNonReferenceFrames)
  }

  @Test func twoSecondsLateSeeksAKeyframe() {
    #expect(!Self.catchUp(after: [1999]).seeksKeyframe)
    var catchUp = Self.catchUp(after: [2000])
    #expect(catchUp.seeksKeyframe)
    catchUp.foundKeyframe()
    #expect(!catchUp.seeksKeyframe)
    #expect(catchUp.skipsNonReferenceFrames)
  }

  @Test func aClockThatWasSetForgetsLateness() {
    var catchUp = Self.catchUp(after: [3000])
    catchUp.clockWasSet()
    #expect(!catchUp.seeksKeyframe)
    #expect(!catchUp.skipsNonReferenceFrames)
  }
}
