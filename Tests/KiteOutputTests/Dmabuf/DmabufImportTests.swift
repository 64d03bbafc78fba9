import KiteSystem
import Testing

@testable import KiteOutput

@Suite struct DmabufImportTests {
  private let start = MonotonicTime(nanoseconds: 1_000)

  @Test func anAnswerIsWaitedForHalfASecondAndNoLonger() {
    let progress = DmabufImport(askedAt: start)
    #expect(progress.deadline(at: start) == start + 500_000_000)
    #expect(progress.deadline(at: start + 499_999_999) != nil)
    #expect(progress.deadline(at: start + 500_000_000) == nil)
    #expect(!progress.isMade && !progress.isRefused)
  }

  @Test func aLateYesCounts() {
    var progress = DmabufImport(askedAt: start)
    progress.created()
    #expect(progress.isMade && progress.deadline(at: start) == nil)
  }

  @Test func theFirstAnswerHolds() {
    var progress = DmabufImport(askedAt: start)
    progress.failed()
    progress.created()
    #expect(progress.isRefused && !progress.isMade)
  }
}
