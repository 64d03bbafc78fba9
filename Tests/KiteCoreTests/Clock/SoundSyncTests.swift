import KiteSystem
import Testing

@testable import KiteCore

/// A sink of 1000 frames a second: a frame is a millisecond. The clock is at 0 at 10 s.
@Suite struct SoundSyncTests {
  private func clock() -> PlaybackClock {
    var clock = PlaybackClock()
    clock.start(at: .ms(10_000))
    return clock
  }

  /// One that sounds, with 10 s written from media time 0 on.
  private func sounding() -> SoundSync {
    var sync = SoundSync(sampleRate: 1000)
    sync.join(at: .ms(10_000))
    sync.wrote(10_000, at: .zero, rate: 1)
    #expect(sync.primed(at: .ms(10_000)) == true)
    let anchor = AudioAnchor(frame: 0, time: .ms(10_000))
    #expect(
      sync.look(status: .sounding, anchor: anchor, clock: clock(), at: .ms(10_000))
        == .set(.zero, at: .ms(10_000)))
    #expect(sync.mode == .sounding)
    return sync
  }

  @Test func aFrameIsTheMediaThatWasWrittenThere() {
    var sync = SoundSync(sampleRate: 1000)
    sync.wrote(100, at: .ms(5000), rate: 1)
    sync.wrote(100, at: .ms(5100), rate: 1)
    sync.wrote(100, at: .ms(5200), rate: 2)
    #expect(sync.segments.count == 2)
    #expect(sync.media(of: 0)?.time == .ms(5000))
    #expect(sync.media(of: 199)?.time == .ms(5199))
    #expect(sync.media(of: 250)?.time == .ms(5300))
    #expect(sync.next == .ms(5400))
    sync.flushed()
    #expect(sync.media(of: 250) == nil)
    sync.wrote(10, at: .zero, rate: 1)
    #expect(sync.media(of: 299) == nil)
    #expect(sync.media(of: 305)?.time == .ms(5))
  }

  @Test(
    arguments: [(0, 0), (1, 0), (-1, 0), (2, 1000), (-2, -1000), (10, 1000), (-40, -1000)] as [(Int64, Int64)]
  )
  func smallOffsetsAreSlewed(offset: Int64, change: Int64) {
    var sync = sounding()
    // 100 ms later: at most 1 ms of correction.
    let anchor = AudioAnchor(frame: 100 + offset, time: .ms(10_100))
    let correction = sync.look(status: .sounding, anchor: anchor, clock: clock(), at: .ms(10_100))
    let expected = MediaTime(nanoseconds: 100_000_000 + change * 1000)
    #expect(correction == (change == 0 ? .none : .set(expected, at: .ms(10_100))))
  }

  @Test func largeOnesAreJumpsForwardOrWaits() {
    var sync = sounding()
    let ahead = AudioAnchor(frame: 600, time: .ms(10_100))
    #expect(
      sync.look(status: .sounding, anchor: ahead, clock: clock(), at: .ms(10_100))
        == .set(.ms(600), at: .ms(10_100)))
    sync = sounding()
    let behind = AudioAnchor(frame: 400, time: .ms(10_500))
    #expect(
      sync.look(status: .sounding, anchor: behind, clock: clock(), at: .ms(10_500))
        == .set(.ms(500), at: .ms(10_600)))
  }

  @Test func anotherTimeLineIsNoOffset() {
    var sync = sounding()
    var clock = clock()
    clock.set(.ms(60_000), at: .ms(10_100))
    let anchor = AudioAnchor(frame: 100, time: .ms(10_100))
    #expect(sync.look(status: .sounding, anchor: anchor, clock: clock, at: .ms(10_100)) == .none)
  }

  @Test func theClockStartsWhenTheHeldPositionIsHeard() {
    var sync = SoundSync(sampleRate: 1000)
    var clock = PlaybackClock()
    clock.set(.ms(3000), at: .zero)
    #expect(sync.start(status: .idle, at: .ms(100)) == true)
    #expect(sync.holdsClock)
    sync.wrote(250, at: .ms(2990), rate: 1)
    #expect(sync.look(status: .idle, anchor: nil, clock: clock, at: .ms(110)) == .none)
    #expect(sync.primed(at: .ms(110)) == true)
    #expect(sync.primed(at: .ms(110)) == false)
    let anchor = AudioAnchor(frame: 0, time: .ms(150))
    #expect(
      sync.look(status: .sounding, anchor: anchor, clock: clock, at: .ms(115))
        == .start(at: .ms(160), rate: 1))
    #expect(!sync.holdsClock)
  }

  @Test func itDoesNotWaitForEverNorTwice() {
    var sync = SoundSync(sampleRate: 1000)
    let clock = PlaybackClock()
    #expect(sync.start(status: .idle, at: .ms(0)) == true)
    sync.wrote(250, at: .zero, rate: 1)
    #expect(sync.primed(at: .ms(0)) == true)
    #expect(sync.look(status: .idle, anchor: nil, clock: clock, at: .ms(249)) == .none)
    #expect(
      sync.look(status: .idle, anchor: nil, clock: clock, at: .ms(250)) == .start(at: .ms(250), rate: 1))
    #expect(sync.start(status: .idle, at: .ms(300)) == false)
    #expect(!SoundSync(sampleRate: 1000).holdsClock)
    var other = SoundSync(sampleRate: 1000)
    #expect(other.start(status: .unavailable, at: .ms(0)) == false)
  }

  @Test func theRateChangesWhereTheFirstStretchedFrameIsHeard() {
    var sync = SoundSync(sampleRate: 1000)
    sync.join(at: .ms(10_000))
    sync.wrote(200, at: .zero, rate: 1)
    sync.wrote(200, at: .ms(200), rate: 2)
    _ = sync.primed(at: .ms(10_000))
    let anchor = AudioAnchor(frame: 0, time: .ms(10_000))
    _ = sync.look(status: .sounding, anchor: anchor, clock: clock(), at: .ms(10_000))
    #expect(sync.nextLook(clock: clock(), anchor: anchor, at: .ms(10_150)) == .ms(10_200))
    #expect(sync.look(status: .sounding, anchor: anchor, clock: clock(), at: .ms(10_150)) == .none)
    #expect(
      sync.look(status: .sounding, anchor: anchor, clock: clock(), at: .ms(10_205))
        == .changeRate(2, at: .ms(10_200)))
  }
}

extension MonotonicTime {
  fileprivate static var zero: MonotonicTime { MonotonicTime(nanoseconds: 0) }
}
