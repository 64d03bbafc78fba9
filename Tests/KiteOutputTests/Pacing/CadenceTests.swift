import Foundation
import Testing

@testable import KiteOutput

/// Ten minutes of film on an output, for every pair of rates that people have.
@Suite struct CadenceTests {
  struct Pair: Sendable, CustomTestStringConvertible {
    var film: Double
    var output: Double
    /// How many vblanks each frame stays, over and over.
    var pattern: [Int]
    /// How often in ten minutes a frame has to stay longer or shorter, because the rates don't quite fit.
    var slips = 0
    var testDescription: String { "\(film) on \(output) Hz" }

    /// How often a frame stays for another time than the one a pattern before it. A slip changes what follows it once, and
    /// what is compared with it a pattern later.
    func breaks(in stays: [Int]) -> Int {
      guard stays.count > pattern.count else { return .max }
      return (pattern.count..<stays.count).count { stays[$0] != stays[$0 - pattern.count] }
    }
  }

  private static let film23 = 24000.0 / 1001
  private static let film29 = 30000.0 / 1001
  private static let film59 = 60000.0 / 1001
  private static let ntsc = 60000.0 / 1001

  static let pairs: [Pair] = [
    Pair(film: 25, output: 50, pattern: [2]), Pair(film: 50, output: 50, pattern: [1]),
    Pair(film: 30, output: 50, pattern: [2, 2, 1]),
    Pair(film: film23, output: ntsc, pattern: [2, 3]), Pair(film: film29, output: ntsc, pattern: [2]),
    Pair(film: film59, output: ntsc, pattern: [1]),
    Pair(film: 24, output: ntsc, pattern: [2, 3], slips: 36),
    Pair(film: 30, output: ntsc, pattern: [2], slips: 36),
    Pair(film: film23, output: 60, pattern: [2, 3], slips: 36), Pair(film: 24, output: 60, pattern: [2, 3]),
    Pair(film: 25, output: 60, pattern: [2, 2, 3, 2, 3]),
    Pair(film: film29, output: 60, pattern: [2], slips: 36),
    Pair(film: 30, output: 60, pattern: [2]), Pair(film: 50, output: 60, pattern: [1, 1, 1, 1, 2]),
    Pair(film: film59, output: 60, pattern: [1], slips: 36), Pair(film: 60, output: 60, pattern: [1]),
    Pair(film: 25, output: 75, pattern: [3]), Pair(film: 30, output: 75, pattern: [2, 3]),
    Pair(film: 50, output: 75, pattern: [1, 2]), Pair(film: 60, output: 75, pattern: [1, 1, 1, 2]),
    Pair(film: film23, output: 120, pattern: [5], slips: 72), Pair(film: 24, output: 120, pattern: [5]),
    Pair(film: 25, output: 120, pattern: [5, 5, 5, 5, 4]), Pair(film: 30, output: 120, pattern: [4]),
    Pair(film: 50, output: 120, pattern: [2, 2, 3, 2, 3]), Pair(film: 60, output: 120, pattern: [2]),
    Pair(film: 24, output: 144, pattern: [6]), Pair(film: 30, output: 144, pattern: [5, 5, 5, 5, 4]),
    Pair(film: 60, output: 144, pattern: [2, 2, 3, 2, 3]),
  ]

  /// Seconds of film before a pacer: with `--long` ten minutes, else one. A few thousand frames of each pair are enough for most mistakes, and
  /// ten minutes of all keep a small machine's test threads for more than a minute.
  static let seconds = ProcessInfo.processInfo.environment["KITE_LONG_TESTS"] == nil ? 60.0 : 600

  /// How late a presenter may wake, in nanoseconds: the most that is to be borne, and with `--long` also less.
  static let delays: [Int64] =
    ProcessInfo.processInfo.environment["KITE_LONG_TESTS"] == nil ? [4_000_000] : [0, 1_000_000, 4_000_000]

  /// How many vblanks each frame stays, and the largest distance of a frame from its time.
  private func show(_ pair: Pair, start: Double, noise: Double) -> (stays: [Int], farthest: Double) {
    var cadence = Cadence()
    var generator = Generator(state: 7)
    var last: Double?
    var stays: [Int] = []
    var farthest = 0.0
    let step = pair.output / pair.film
    for index in 0..<Int(pair.film * 600) {
      let position = start + Double(index) * step + .random(in: -noise...noise, using: &generator)
      let vblank = cadence.vblank(for: position, duration: step)
      if let last { stays.append(Int(vblank - last)) }
      last = vblank
      farthest = max(farthest, abs(vblank - position))
    }
    return (stays, farthest)
  }

  @Test(arguments: pairs, [0, 0.03])
  func thePatternIsTheSteadiest(_ pair: Pair, noise: Double) {
    for start in [0, 0.21, 0.5, 0.77] {
      let (stays, farthest) = show(pair, start: start, noise: noise)
      let length = pair.pattern.count
      #expect(Self.rotations(of: pair.pattern).contains(Array(stays.prefix(length))), "\(stays.prefix(12))")
      let breaks = pair.breaks(in: stays)
      #expect(breaks <= (pair.slips + 1) * 2 * length && (pair.slips > 0 || breaks == 0), "\(breaks) breaks")
      #expect(breaks >= pair.slips)
      #expect(farthest <= 1.05, "\(farthest) vblanks off")
      #expect(stays.allSatisfy { $0 >= 1 })
    }
  }

  @Test func moreFramesThanVblanksLeaveOutTheFewest() {
    let (stays, _) = show(Pair(film: 60, output: 50, pattern: []), start: 0.3, noise: 0)
    #expect(stays.count { $0 == 0 } == 6000 || stays.count { $0 == 0 } == 5999)
    #expect(stays.allSatisfy { $0 <= 1 })
  }

  @Test func aJumpBeginsANewPattern() {
    var cadence = Cadence()
    for index in 0..<100 { _ = cadence.vblank(for: 0.3 + Double(index) * 2.5, duration: 2.5) }
    #expect(cadence.vblank(for: 20.1, duration: 2.5) == 20)
    #expect(cadence.vblank(for: 22.6, duration: 2.5) == 23)
  }

  private static func rotations(of pattern: [Int]) -> [[Int]] {
    pattern.indices.map { Array(pattern[$0...] + pattern[..<$0]) }
  }
}

/// The same numbers on every machine: a linear congruential generator with Knuth's constants.
struct Generator: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    // Its high bits are the good ones.
    return state >> 32 | state << 32
  }
}
