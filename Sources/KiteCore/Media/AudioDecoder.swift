/// A stretch of decoded sound: interleaved 32-bit floats, in the order of WAVEFORMATEXTENSIBLE.
public struct AudioSamples: Sendable {
  /// Media time of the first sample; `.unknown` when they follow the ones before.
  public var pts: MediaTime
  /// Media seconds that a second of these samples holds: they are stretched to be played at that speed, at their pitch.
  public var rate: Double
  /// Channels that are interleaved, at least 1.
  public var channelCount: Int
  /// The samples, full scale ±1; a multiple of `channelCount`.
  public var samples: [Float]
  /// Samples of each channel.
  public var frameCount: Int { samples.count / channelCount }

  /// Sound that begins at `pts`.
  public init(pts: MediaTime, rate: Double = 1, channelCount: Int, samples: [Float]) {
    self.pts = pts
    self.rate = rate
    self.channelCount = max(1, channelCount)
    self.samples = samples
  }
}

/// What an audio decoder has to say.
public enum AudioDecoderOutput: Sendable {
  /// The next stretch of sound.
  case samples(AudioSamples)
  /// It wants a packet first.
  case needsInput
  /// All that was sent before the drain has come out.
  case ended
}

/// Turns packets into samples of one format, whatever the track changes to. Used by one thread at a time: the engine's
/// sound thread.
public protocol AudioDecoder: AnyObject {
  /// Gives a packet, or nil to drain what is inside. Call `receive` until it needs input first.
  ///
  /// - Throws: `MediaError` of kind `decoding` for a damaged packet: count it and go on with the next one.
  func send(_ packet: (any MediaPacket)?) throws(MediaError)

  /// The next stretch of sound, if there is one.
  func receive() throws(MediaError) -> AudioDecoderOutput

  /// Forgets everything inside, as after a seek.
  func flush()

  /// The speed for which samples that come from now on are stretched, 0.25…4, their pitch kept. What is inside comes
  /// out first, at the speed before.
  var rate: Double { get set }
}
