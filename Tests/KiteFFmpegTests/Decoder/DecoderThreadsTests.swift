import Testing

@testable import KiteFFmpeg

/// One thread where one does, as many as help where not.
@Suite struct DecoderThreadsTests {
  private static let frame: Int64 = 40_000_000

  /// After `frames` frames of which each took this part of its time.
  private func threads(_ frames: Int, part: Double) -> DecoderThreads {
    var threads = DecoderThreads(limit: 4, frameDuration: Self.frame)
    for _ in 0..<frames { threads.decoded(cost: Int64(Double(Self.frame) * part)) }
    return threads
  }

  @Test func oneBeginsAndStaysWhereItIsFastEnough() {
    #expect(threads(0, part: 0).count == 1)
    #expect(!threads(100, part: 0.45).wantsMore)
  }

  @Test func moreAreWantedOnceOneWasSlowForSomeFrames() {
    #expect(!threads(DecoderThreads.firstLook - 1, part: 2).wantsMore)
    #expect(threads(DecoderThreads.firstLook, part: 0.55).wantsMore)
  }

  @Test func aSlowStartIsNoReason() {
    var threads = threads(DecoderThreads.warmUp, part: 4)
    for _ in 0..<100 { threads.decoded(cost: Self.frame / 4) }
    #expect(!threads.wantsMore)
  }

  @Test func moreAreWantedWherePicturesComeTooLate() {
    var threads = threads(1, part: 0.1)
    threads.hurry()
    #expect(threads.wantsMore)
    threads.tookMore(forSeek: false)
    #expect(threads.count == 4 && !threads.wantsMore)
  }

  @Test func afterASeekOneIsEnoughAgainWhereItWas() {
    var light = threads(100, part: 0.2)
    #expect(light.wantsMoreForSeek)
    light.tookMore(forSeek: true)
    for _ in 0..<DecoderThreads.settling - 1 { light.decoded(cost: 0) }
    #expect(!light.wantsOne)
    light.decoded(cost: 0)
    #expect(light.wantsOne)
    light.tookOne()
    #expect(light.count == 1 && !light.wantsOne)
    var heavier = threads(100, part: 0.4)
    heavier.tookMore(forSeek: true)
    for _ in 0..<5000 { heavier.decoded(cost: 0) }
    #expect(!heavier.wantsOne)
  }

  @Test func whatWasTooSlowOnceIsNotTriedAgainSoon() {
    var threads = threads(20, part: 0.3)
    threads.hurry()
    threads.tookMore(forSeek: false)
    for _ in 0..<DecoderThreads.patience - 1 { threads.decoded(cost: 0) }
    #expect(!threads.wantsOne)
    threads.decoded(cost: 0)
    #expect(threads.wantsOne)
  }

  @Test func aSeekBeforeTheFirstFrameNeedsNoOther() {
    let threads = DecoderThreads(limit: 4, frameDuration: Self.frame)
    #expect(!threads.wantsMoreForSeek)
  }

  @Test func whereThereIsOneOnlyOrTheNumberIsGivenNothingChanges() {
    for given in [DecoderThreads(limit: 1, frameDuration: Self.frame), DecoderThreads(fixed: 3)] {
      var threads = given
      let count = threads.count
      for _ in 0..<100 { threads.decoded(cost: 10 * Self.frame) }
      threads.hurry()
      #expect(!threads.measures && !threads.wantsMore && !threads.wantsOne && !threads.wantsMoreForSeek)
      #expect(threads.count == count)
    }
  }
}
