import KiteCore
import KiteSystem
import Testing

@testable import KiteOutput

/// Frames that wait for their commit can be taken back until then, and wake the presenter only when they must.
@Suite struct FrameShelfTests {
  private final class Nothing: Sendable {}
  private let ledger = FrameLedger()

  private static func at(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: 10_000_000_000 + milliseconds * 1_000_000)
  }

  private func target(of frame: consuming TimedFrame?) -> MonotonicTime? {
    switch consume frame {
    case .some(let frame): frame.target
    case .none: nil
    }
  }

  @discardableResult
  private func append(_ milliseconds: Int64, to shelf: inout FrameShelf) -> Bool {
    let properties = VideoFrame.Properties(
      format: .gray8, codedSize: PixelSize(width: 1, height: 1), pts: MediaTime(nanoseconds: milliseconds))
    let frame = VideoFrame(properties: properties, memory: .heap, planes: [], owner: Nothing())
    return shelf.append(frame, at: Self.at(milliseconds), ledger: ledger)
  }

  @Test func thoseThatAreNotDueAreGivenBackInOrderAndCountAsNotAccepted() {
    var shelf = FrameShelf()
    for time: Int64 in [10, 20, 30] { append(time, to: &shelf) }
    var back = shelf.recall(after: Self.at(10))
    let (count, left) = (back.count, shelf.entries.map(\.target))
    #expect(count == 2 && left == [Self.at(10)])
    #expect(target(of: back.popFirst()) == Self.at(20))
    #expect(target(of: back.popFirst()) == Self.at(30))
    #expect(ledger.counts.accepted == 1 && ledger.counts.inFlight == 1)
    shelf.failAll()
  }

  @Test func oneThatWasTakenBackIsNotCommitted() {
    var shelf = FrameShelf()
    append(10, to: &shelf)
    let number = shelf.entries[0].number
    _ = shelf.recall(after: Self.at(0))
    append(10, to: &shelf)
    let isHere = shelf.reach(number)
    #expect(!isHere)
    #expect(shelf.entries.count == 1)
    shelf.failAll()
    #expect(ledger.counts.failed == 1 && ledger.counts.accepted == 1)
  }

  @Test func takingOneEndsThoseBeforeIt() {
    var shelf = FrameShelf()
    for time: Int64 in [10, 20, 30] { append(time, to: &shelf) }
    let numbers = shelf.entries.map(\.number)
    if let taken = shelf.take(numbers[1]) {
      #expect(taken.target == Self.at(20))
      taken.fail()
    } else {
      Issue.record("it is not here")
    }
    #expect(ledger.counts.superseded == 1)
    #expect(shelf.entries.map(\.number) == [numbers[2]])
    shelf.failAll()
  }

  @Test func aFullOneGivesUpItsNewest() {
    var shelf = FrameShelf()
    for time in 0...Int64(FrameShelf.capacity) { append(time, to: &shelf) }
    #expect(shelf.entries.count == FrameShelf.capacity)
    #expect(shelf.entries.first?.target == Self.at(0))
    #expect(shelf.entries.last?.target == Self.at(Int64(FrameShelf.capacity)))
    #expect(ledger.counts.superseded == 1)
    shelf.failAll()
  }

  @Test func whatIsNotWantedBeforeThePresenterWakesDoesNotWakeIt() {
    var shelf = FrameShelf()
    let whileAwake = append(1000, to: &shelf)
    shelf.sleepEnd = Self.at(30)
    let early = append(49, to: &shelf)
    let late = append(50, to: &shelf)
    shelf.sleepEnd = .distantFuture
    let withoutEnd = append(1000, to: &shelf)
    #expect([whileAwake, early, late, withoutEnd] == [true, true, false, true])
    shelf.failAll()
  }

  @Test func eachIsAimedOnce() {
    var shelf = FrameShelf()
    append(10, to: &shelf)
    append(20, to: &shelf)
    var aimed: [MonotonicTime] = []
    func aim(_ target: MonotonicTime, _: VideoFrame.Properties) -> FramePacer.Aim? {
      aimed.append(target)
      return FramePacer.Aim(vblank: Double(aimed.count), epoch: 0)
    }
    shelf.aimNew(aim)
    append(30, to: &shelf)
    shelf.aimNew(aim)
    shelf.aimNew(aim)
    #expect(aimed == [Self.at(10), Self.at(20), Self.at(30)])
    #expect(shelf.entries.map(\.aim?.vblank) == [1, 2, 3])
    shelf.failAll()
  }

  @Test func framesThatComeEvenlyAreWantedAFrameEarlierAndTwoAtATime() {
    let leads = FrameLeads(evenly: 40_000_000)
    #expect(leads.wanted == 60_000_000)
    // Two fit between the times, whatever their times are rounded to, and three don't.
    #expect(leads.earliest - leads.wanted > 41_000_000 && leads.earliest - leads.wanted < 79_000_000)
    #expect(FrameLeads(evenly: 8_000_000) == FrameLeads() && FrameLeads(evenly: 200_000_000) == FrameLeads())
  }

  @Test func whatGettingReadyTakesIsKnownAfterAWhile() {
    var cost = ReadyCost()
    for _ in 0..<7 { cost.add(2_000_000) }
    #expect(cost.usual == nil)
    cost.add(2_000_000)
    #expect(cost.usual == 2_000_000)
    cost.add(10_000_000)
    #expect(cost.usual == 3_000_000)
  }
}
