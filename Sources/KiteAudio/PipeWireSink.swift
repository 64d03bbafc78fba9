public import KiteCore
import KiteSystem
import Synchronization

/// Plays through the PipeWire daemon of the session.
///
/// Nothing is loaded or connected before the first sink is made, and that happens on a thread of the sink's own. Where
/// there is no daemon, no session manager or no device, the sink is silent, and sounds as soon as there is one.
public struct PipeWireSinkFactory: AudioSinkFactory {
  private let name: String
  private let socket: String?

  /// Makes sinks that mixers show as `name`. `socket` is the path of a daemon's socket; nil for the session's own.
  public init(name: String = "Kite", socket: String? = nil) {
    self.name = name
    self.socket = socket
  }

  /// A sink for 1, 2, 6 or 8 channels at 48 kHz: the server mixes from there to what the device has.
  public func makeSink(for format: AudioFormat) -> any AudioSink {
    let channels = [1, 2, 6, 8].first { $0 >= format.channelCount } ?? 8
    return PipeWireSink(
      format: AudioFormat(sampleRate: 48000, channelCount: channels), name: name, socket: socket)
  }
}

/// One stream of PipeWire's, fed without a lock.
final class PipeWireSink: AudioSink {
  private let feed: SampleFeed
  private let thread: PipeWireThread

  /// Sound that is written ahead, in seconds: much more than a thread of a busy machine has to wait, and as long as a change
  /// of speed takes.
  private static let ahead = 0.25
  /// A sink that took nothing for so long has lost its device: more than the longest cycle of a graph.
  private static let silence: Int64 = 300_000_000

  init(format: AudioFormat, name: String, socket: String?) {
    feed = SampleFeed(format, seconds: Self.ahead)
    thread = PipeWireThread(feed: feed, name: name, remote: socket)
    thread.start()
  }

  deinit { thread.close() }

  var format: AudioFormat { feed.format }
  var anchor: AudioAnchor? { feed.anchor }

  var status: AudioSinkStatus {
    guard !thread.hasNobody else { return .unavailable }
    guard let last = feed.lastRendered, MonotonicTime.now - last < Self.silence else { return .idle }
    return .sounding
  }

  func write(_ samples: UnsafeBufferPointer<Float>) -> Int { feed.write(samples) }
  func flush() { feed.flush() }

  func setRunning(_ isRunning: Bool) {
    feed.setRunning(isRunning)
    thread.setWanted(isRunning)
  }

  func setVolume(_ volume: Float) { feed.setVolume(volume) }
  func close() { thread.close() }
}
