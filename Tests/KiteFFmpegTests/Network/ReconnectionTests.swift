import KiteCore
import Testing

@testable import KiteFFmpeg

@Suite struct ReconnectionTests {
  private static let millisecond: Int64 = 1_000_000

  @Test func theFirstTryIsAtOnceAndPausesDouble() {
    var reconnection = Reconnection(firstPause: MediaTime(seconds: 0.25))
    let pauses = (0..<9).map { _ in reconnection.failed(.passing).map { $0 / Self.millisecond } }
    #expect(pauses == [0, 250, 500, 1000, 2000, 4000, 8000, 8000, 8000])
  }

  @Test func bytesBeginItAnew() {
    var reconnection = Reconnection(firstPause: MediaTime(seconds: 0.25))
    for _ in 0..<5 { _ = reconnection.failed(.passing) }
    reconnection.succeeded()
    #expect(reconnection.tries == 0)
    #expect(reconnection.failed(.passing) == 0)
    #expect(reconnection.failed(.passing) == 250 * Self.millisecond)
  }

  @Test func aRefusalIsFinal() {
    var reconnection = Reconnection(firstPause: MediaTime(seconds: 0.25))
    #expect(reconnection.failed(.refusal) == nil)
  }

  @Test func itIsDoneForEverWithoutOverflow() {
    var reconnection = Reconnection(firstPause: MediaTime(nanoseconds: .max))
    for _ in 0..<200 {
      let pause = reconnection.failed(.passing)
      #expect((pause ?? -1) >= 0)
    }
  }
}
