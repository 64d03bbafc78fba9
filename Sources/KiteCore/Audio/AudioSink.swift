public import KiteSystem

/// The format of interleaved 32-bit float samples.
public struct AudioFormat: Hashable, Sendable {
  /// Samples a second of each channel, in Hz.
  public let sampleRate: Int
  /// Channels, in the order of WAVEFORMATEXTENSIBLE.
  public let channelCount: Int

  /// A format of `channelCount` channels at `sampleRate` Hz.
  public init(sampleRate: Int, channelCount: Int) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }
}

/// Where sound goes. The engine writes ahead; the sink says when what it was given is heard.
public protocol AudioSink: AnyObject, Sendable {
  /// Prepares for samples of `format`, whose first is at media time `start`. Discards what was written before.
  func prepare(_ format: AudioFormat, start: MediaTime) throws(MediaError)
  /// Takes as many of the interleaved samples as fit now, and returns how many frames it took. Never blocks.
  func write(_ samples: UnsafeBufferPointer<Float>) -> Int
  /// Starts or holds the clock and the sound.
  func setRunning(_ isRunning: Bool)
  /// Which media time is heard at which monotonic time; nil until the first sample is out.
  var anchor: (media: MediaTime, time: MonotonicTime)? { get }
  /// Linear volume, 0…1.
  func setVolume(_ volume: Float)
  /// Ends the sink. Idempotent.
  func close()
}
