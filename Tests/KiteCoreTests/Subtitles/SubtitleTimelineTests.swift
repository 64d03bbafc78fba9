import Testing

@testable import KiteCore

@Suite struct SubtitleTimelineTests {
  private func line(_ text: String, _ start: Int64, _ end: Int64?, effect: String = "") -> SubtitleEvent {
    SubtitleEvent(
      start: .ms(start), end: end.map { .ms($0) }, content: .text("0,0,Default,,0,0,0,\(effect),\(text)"))
  }

  private func picture(_ start: Int64, _ end: Int64?, shade: UInt32? = 0xFF00_0000) -> SubtitleEvent {
    let bitmap = shade.flatMap {
      SubtitleBitmap(
        place: PixelRect(x: 0, y: 0, width: 1, height: 1), canvas: PixelSize(width: 10, height: 10),
        pixels: [$0])
    }
    return SubtitleEvent(
      start: .ms(start), end: end.map { .ms($0) }, content: .pictures(bitmap.map { [$0] } ?? []))
  }

  private func texts(_ timeline: SubtitleTimeline, at milliseconds: Int64) -> [String] {
    timeline.lookup(at: .ms(milliseconds)).visible.map { entry in
      guard case .text(let text) = entry.content else { return "picture" }
      return String(text.split(separator: ",").last ?? "")
    }
  }

  @Test func aLineIsVisibleFromItsStartAndNotAtItsEnd() {
    var timeline = SubtitleTimeline(isExclusive: false)
    timeline.add([line("a", 1000, 2000), line("b", 1500, 3000)])
    #expect(texts(timeline, at: 999) == [])
    #expect(texts(timeline, at: 1000) == ["a"])
    #expect(texts(timeline, at: 1500) == ["a", "b"])
    #expect(texts(timeline, at: 1999) == ["a", "b"])
    #expect(texts(timeline, at: 2000) == ["b"])
    #expect(texts(timeline, at: 3000) == [])
  }

  @Test func aSpanHoldsUntilTheNextChange() {
    var timeline = SubtitleTimeline(isExclusive: false)
    timeline.add([line("a", 1000, 2000), line("b", 1500, 3000)])
    let ends: [Int64: Int64] = [0: 1000, 1000: 1500, 1700: 2000, 2000: 3000]
    for (time, end) in ends { #expect(timeline.lookup(at: .ms(time)).span.end == .ms(end)) }
    #expect(timeline.lookup(at: .ms(3000)).span.end == MediaTime(nanoseconds: .max))
    #expect(timeline.lookup(at: .ms(3000)).span.isEmpty)
  }

  @Test func theOrderOfComingDoesNotMatter() {
    let events = (0..<50).map { index -> SubtitleEvent in
      let start = Int64(index * 37 % 50) * 100
      return line("\(index)", start, start + 250)
    }
    var together = SubtitleTimeline(isExclusive: false)
    together.add(events)
    var single = SubtitleTimeline(isExclusive: false)
    for event in events.reversed() { single.add([event]) }
    for time in stride(from: Int64(0), to: 6000, by: 50) {
      #expect(Set(texts(together, at: time)) == Set(texts(single, at: time)), "at \(time)")
      let count = events.count { $0.start <= .ms(time) && ($0.end ?? .zero) > .ms(time) }
      #expect(texts(single, at: time).count == count)
    }
  }

  @Test func whatIsReadAgainAddsNothing() {
    var timeline = SubtitleTimeline(isExclusive: false)
    timeline.add([line("a", 1000, 2000)])
    // Read again, decoders count on.
    let again = SubtitleEvent(start: .ms(1000), end: .ms(2000), content: .text("7,0,Default,,0,0,0,,a"))
    let isNew = timeline.add([again])
    #expect(!isNew)
    #expect(timeline.count == 1)
  }

  @Test func pictureEndsThePictureBefore() {
    var timeline = SubtitleTimeline(isExclusive: true)
    timeline.add([picture(1000, nil)])
    #expect(texts(timeline, at: 100_000) == ["picture"])
    timeline.add([picture(2000, 9000, shade: 1)])
    timeline.add([picture(3000, nil, shade: nil)])
    #expect(timeline.lookup(at: .ms(2500)).span.marks.count == 1)
    #expect(texts(timeline, at: 3000) == [])
    #expect(timeline.lookup(at: .ms(1000)).span.end == .ms(2000))
  }

  @Test func severalOfOneStartEndTogether() {
    var timeline = SubtitleTimeline(isExclusive: false)
    timeline.add([line("a", 1000, nil), line("b", 1000, nil)])
    timeline.add([line("c", 2000, nil)])
    #expect(texts(timeline, at: 1500) == ["a", "b"])
    #expect(texts(timeline, at: 2000) == ["c"])
  }

  @Test func afterAJumpNothingStaysForEver() {
    var timeline = SubtitleTimeline(isExclusive: true)
    timeline.add([picture(1000, nil)])
    let wasOpen = timeline.closeOpen()
    #expect(wasOpen)
    #expect(texts(timeline, at: 2000) == ["picture"])
    #expect(texts(timeline, at: 100_000) == [])
    let isOpen = timeline.closeOpen()
    #expect(!isOpen)
  }

  @Test(arguments: [
    (#"{\t(\fs20)}x"#, true), (#"{\move(1,2,3,4)}x"#, true), (#"{\fad(200,200)}x"#, true),
    (#"{\k20}x"#, true),
    (#"{\pos(1,2)\b1}x"#, false), ("moved, faded", false),
  ]) func motionIsKnown(text: String, isAnimated: Bool) {
    #expect(line(text, 0, 1).isAnimated == isAnimated)
    #expect(line(text, 0, 1, effect: "Banner;5").isAnimated)
  }

  @Test func aHundredThousandLinesAreTakenInAtOnceAndOneByOne() {
    let events = (0..<100_000).map { line("\($0)", Int64($0) * 10, Int64($0) * 10 + 15) }
    var timeline = SubtitleTimeline(isExclusive: false)
    timeline.add(events)
    for event in events.prefix(500) { timeline.add([event]) }
    #expect(timeline.count == 100_000)
    #expect(texts(timeline, at: 500_001) == ["49999", "50000"])
    // All at one time: no more than can be drawn.
    var crowd = SubtitleTimeline(isExclusive: false)
    crowd.add((0..<10_000).map { line("\($0)", 0, 1000) })
    #expect(crowd.lookup(at: .ms(500)).visible.count == SubtitleTimeline.visibleLimit)
  }

  @Test func memoryIsBounded() {
    var timeline = SubtitleTimeline(isExclusive: true)
    for index in 0..<40 {
      let pixels = [UInt32](repeating: UInt32(index), count: 1_000_000)
      let bitmap = SubtitleBitmap(
        place: PixelRect(x: 0, y: 0, width: 1000, height: 1000), canvas: PixelSize(width: 1000, height: 1000),
        pixels: pixels)
      timeline.add([
        SubtitleEvent(start: .ms(Int64(index)), end: nil, content: .pictures(bitmap.map { [$0] } ?? []))
      ])
    }
    #expect(timeline.count <= 17)
    #expect(texts(timeline, at: 39) == ["picture"])
  }
}
