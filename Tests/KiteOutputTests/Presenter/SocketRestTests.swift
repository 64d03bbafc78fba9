import KiteSystem
import Testing

@testable import KiteOutput

/// Frames that come evenly need no answer before the next one; everything else is heard at once.
@Suite struct SocketRestTests {
  private static func at(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: 10_000_000_000 + milliseconds * 1_000_000)
  }

  /// After `frames` frames of 40 ms, the last of them at 0.
  private func rest(frames: Int64, step: Int64 = 40) -> SocketRest {
    var rest = SocketRest()
    for index in stride(from: frames - 1, through: 0, by: -1) {
      rest.committed(at: Self.at(-index * step))
      rest.looked(at: Self.at(-index * step))
    }
    return rest
  }

  @Test func itBeginsAfterARunOfFrames() {
    #expect(rest(frames: 12).end(at: Self.at(1)) == nil)
    #expect(rest(frames: 13).end(at: Self.at(1)) == Self.at(45))
  }

  @Test func itIsShort() {
    var rest = rest(frames: 20)
    #expect(rest.end(at: Self.at(45)) == nil)
    rest.looked(at: Self.at(30))
    #expect(rest.end(at: Self.at(45)) == Self.at(75))
  }

  @Test func framesThatComeSeldomOrNotAnyMoreEndIt() {
    #expect(rest(frames: 20, step: 101).end(at: Self.at(1)) == nil)
    var rest = rest(frames: 20)
    rest.looked(at: Self.at(99))
    #expect(rest.end(at: Self.at(100)) != nil)
    #expect(rest.end(at: Self.at(101)) == nil)
  }

  @Test func aChangeOfTheViewEndsIt() {
    var rest = rest(frames: 20)
    rest.disturb()
    #expect(rest.end(at: Self.at(1)) == nil)
    rest.committed(at: Self.at(40))
    #expect(rest.end(at: Self.at(41)) == nil)
  }
}
