import KiteCore
import Testing

@Suite struct MediaTimeTests {
  @Test(
    arguments: [
      (0.0, 0), (1.5, 1_500_000_000), (-0.000_000_001, -1), (.nan, 0), (.infinity, .max), (-.infinity, .min),
      (1e300, .max), (-1e300, .min), (9_223_372_036.854_776, .max),
    ] as [(Double, Int64)])
  func secondsAreRoundedAndBounded(seconds: Double, nanoseconds: Int64) {
    #expect(MediaTime(seconds: seconds).nanoseconds == nanoseconds)
  }

  @Test(
    arguments: [
      (1, 2, 3), (.max, 1, .max), (.min, -1, .min), (.max, .min, -1), (.max, .max, .max), (.min, .min, .min),
    ] as [(Int64, Int64, Int64)])
  func sumsSaturate(a: Int64, b: Int64, sum: Int64) {
    #expect(MediaTime(nanoseconds: a) + MediaTime(nanoseconds: b) == MediaTime(nanoseconds: sum))
  }

  @Test(
    arguments: [
      (3, 2, 1), (.min, 1, .min), (.max, -1, .max), (0, .min, .max), (.min, .min, 0), (-1, .max, .min),
    ] as [(Int64, Int64, Int64)])
  func differencesSaturate(a: Int64, b: Int64, difference: Int64) {
    #expect(MediaTime(nanoseconds: a) - MediaTime(nanoseconds: b) == MediaTime(nanoseconds: difference))
  }
}
