import KiteCore

@testable import KiteAudio

/// Renders a feed as a sound server does, buffer by buffer, and keeps what came out.
final class FeedReader {
  let feed: SampleFeed
  /// Frame numbers of what was read start at this time.
  private(set) var heard: [Float] = []
  var now: Int64 = 1_000_000_000

  init(channels: Int = 1, seconds: Double = 0.25) {
    feed = SampleFeed(AudioFormat(sampleRate: 48000, channelCount: channels), seconds: seconds)
  }

  /// Writes `count` frames of full scale, or of `value`.
  @discardableResult
  func write(_ count: Int, _ value: Float = 1) -> Int {
    Array(repeating: value, count: count * feed.format.channelCount).withUnsafeBufferPointer(feed.write)
  }

  /// Reads `count` frames that are heard `latency` later.
  @discardableResult
  func read(_ count: Int, latency: Int64 = 20_000_000) -> [Float] {
    var buffer = [Float](repeating: .nan, count: count * feed.format.channelCount)
    buffer.withUnsafeMutableBufferPointer { pointer in
      if let start = pointer.baseAddress {
        feed.render(into: start, count: count, heardAt: now + latency, now: now)
      }
    }
    now += Int64(count) * 1_000_000_000 / 48000
    heard += buffer
    return buffer
  }

  /// The largest step between neighbouring frames of the first channel.
  var largestStep: Float {
    let first = stride(from: 0, to: heard.count, by: feed.format.channelCount).map { heard[$0] }
    return zip([0] + first, first).reduce(0) { max($0, abs($1.0 - $1.1)) }
  }
}
