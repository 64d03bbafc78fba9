/// The format of interleaved 32-bit float samples.
public struct AudioFormat: Hashable, Sendable {
  /// Samples a second of each channel, in Hz.
  public let sampleRate: Int
  /// Channels, in the order of WAVEFORMATEXTENSIBLE.
  public let channelCount: Int

  /// A format of `channelCount` channels at `sampleRate` Hz; at least one of each.
  public init(sampleRate: Int, channelCount: Int) {
    self.sampleRate = max(1, sampleRate)
    self.channelCount = max(1, channelCount)
  }
}
