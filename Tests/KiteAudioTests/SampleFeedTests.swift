import KiteCore
import KiteSystem
import Testing

@testable import KiteAudio

/// Full-scale constant sound: any jump would be a click.
@Suite struct SampleFeedTests {
  /// A fade of 5 ms at 48 kHz takes 240 frames.
  private let step: Float = 1 / 240 + 0.0001

  @Test func silentUntilItRuns() {
    let reader = FeedReader()
    reader.write(1000)
    #expect(reader.read(500).allSatisfy { $0 == 0 })
    #expect(reader.feed.anchor == nil)
    #expect(reader.feed.waitingFrames == 1000)
  }

  @Test func soundBeginsAndEndsInFades() {
    let reader = FeedReader()
    reader.write(4000)
    reader.feed.setRunning(true)
    for _ in 0..<3 { reader.read(500) }
    #expect(reader.heard[0] > 0 && reader.heard[239] == 1 && reader.heard[1499] == 1)
    reader.feed.setRunning(false)
    reader.read(100)
    #expect(!reader.feed.isFadedOut)
    for _ in 0..<3 { reader.read(100) }
    #expect(reader.feed.isFadedOut)
    #expect(reader.heard.last == 0)
    #expect(reader.largestStep <= step)
    // Held: the rest waits.
    #expect(reader.feed.waitingFrames == 4000 - 1500 - 240)
    reader.feed.setRunning(true)
    for _ in 0..<5 { reader.read(500) }
    #expect(reader.largestStep <= step)
  }

  @Test(arguments: [1, 7, 100, 240, 241, 1024])
  func aFlushFadesOutTheOldAndInTheNew(buffer: Int) {
    let reader = FeedReader()
    reader.write(6000)
    reader.feed.setRunning(true)
    while reader.heard.count < 2000 { reader.read(buffer) }
    let consumed = 6000 - reader.feed.waitingFrames
    reader.feed.flush()
    #expect(reader.feed.waitingFrames == 0)
    reader.write(3000, -1)
    let start = reader.heard.count
    while reader.heard.count < start + 2000 { reader.read(buffer) }
    #expect(reader.largestStep <= step)
    #expect(reader.heard[start..<(start + 240)].allSatisfy { $0 >= 0 })
    #expect(reader.heard[start + 600] == -1)
    #expect(reader.feed.anchor.map { $0.frame >= 6000 } == true)
    #expect(consumed < 6000)
  }

  @Test func whereSamplesRunOutTheyEndInAFade() {
    let reader = FeedReader()
    reader.write(1000)
    reader.feed.setRunning(true)
    for _ in 0..<4 { reader.read(512) }
    #expect(reader.largestStep <= step)
    #expect(reader.heard.last == 0)
    reader.write(1000)
    for _ in 0..<2 { reader.read(512) }
    #expect(reader.largestStep <= step)
    #expect(reader.heard.last == 1 || reader.feed.waitingFrames == 0)
  }

  @Test func volumeIsReachedGently() {
    let reader = FeedReader()
    reader.write(8000)
    reader.feed.setRunning(true)
    reader.read(1000)
    reader.feed.setVolume(0.25)
    reader.read(1000)
    #expect(abs((reader.heard.last ?? 0) - 0.25) < 0.001)
    reader.feed.setVolume(0)
    reader.read(1000)
    #expect(reader.heard.last == 0)
    reader.feed.setVolume(.nan)
    reader.read(1000)
    #expect(reader.heard.last == 1)
    #expect(reader.largestStep <= step)
  }

  @Test func theAnchorSaysWhichFrameIsHeardWhen() {
    let reader = FeedReader()
    reader.write(4000)
    reader.feed.setRunning(true)
    let start = reader.now
    reader.read(480)
    #expect(reader.feed.anchor == AudioAnchor(frame: 0, time: MonotonicTime(nanoseconds: start + 20_000_000)))
    reader.read(480)
    #expect(
      reader.feed.anchor == AudioAnchor(frame: 480, time: MonotonicTime(nanoseconds: start + 30_000_000)))
    // What was reported before a pause says nothing about the time after it.
    reader.feed.setRunning(false)
    #expect(reader.feed.anchor == nil)
    reader.read(480)
    reader.feed.setRunning(true)
    #expect(reader.feed.anchor == nil)
    reader.read(480)
    #expect(reader.feed.anchor?.frame == 1200)
  }

  @Test func channelsStayTogether() {
    let reader = FeedReader(channels: 2)
    reader.feed.setRunning(true)
    let samples = (0..<2000).flatMap { [Float($0) / 2000, -Float($0) / 2000] }
    var written = 0
    // Portions that go round the ring's end.
    for round in 0..<40 {
      samples.withUnsafeBufferPointer { written += reader.feed.write($0) }
      reader.read(1999)
      _ = round
    }
    #expect(written > reader.feed.format.sampleRate)
    for frame in 0..<(reader.heard.count / 2) {
      #expect(reader.heard[2 * frame] == -reader.heard[2 * frame + 1])
    }
  }

  @Test func aWriterAndAReaderAtOnceLoseNothing() async {
    let reader = FeedReader(seconds: 0.01)
    reader.feed.setRunning(true)
    let feed = reader.feed
    let total = 200_000
    let writing = Task.detached {
      var value = 1
      while value <= total {
        let taken = [Float(value)].withUnsafeBufferPointer(feed.write)
        value += taken
        if taken == 0 { await Task.yield() }
      }
    }
    var last: Float = 0
    while feed.anchor.map({ $0.frame < Int64(total) - 100 }) ?? true, reader.heard.count < 100_000_000 {
      if feed.waitingFrames == 0 {
        await Task.yield()
        continue
      }
      reader.now += 1
      _ = reader.read(min(64, feed.waitingFrames))
    }
    await writing.value
    for value in reader.heard where value > 0 {
      // Faded-in values grow faster; whole ones come in order.
      #expect(value >= last || value < 241)
      last = max(last, value)
    }
    #expect(last > Float(total - 400))
  }
}
