/// How a decoder is to work.
public struct VideoDecoderOptions: Sendable {
  /// Where decoders that can write into foreign memory take it from; nil for their own memory.
  public var pool: FramePool?
  /// Threads for decoding; 0 lets the decoder choose by the machine.
  public var threadCount: Int

  /// Options; by default own memory and as many threads as the decoder likes.
  public init(pool: FramePool? = nil, threadCount: Int = 0) {
    self.pool = pool
    self.threadCount = threadCount
  }
}

/// What a decoder has to say.
public enum VideoDecoderOutput: ~Copyable, Sendable {
  /// A picture, in presentation order.
  case frame(VideoFrame)
  /// It wants a packet first.
  case needsInput
  /// All packets before the drain have come out.
  case ended
}

/// Turns packets into frames. Used by one thread at a time: the engine's decoder thread.
public protocol VideoDecoder: AnyObject {
  /// Gives a packet, or nil to drain what is inside. Call `receive` until it needs input first.
  ///
  /// - Throws: `MediaError` of kind `decoding` for a damaged packet: count it and go on with the next one. Of kind `device`
  ///   when nothing more can be decoded: playing ends with that error.
  func send(_ packet: (any MediaPacket)?) throws(MediaError)

  /// The next picture, if there is one.
  func receive() throws(MediaError) -> VideoDecoderOutput

  /// Forgets everything inside, as after a seek or the end. Decoding then starts at a keyframe.
  func flush()

  /// What decodes, which may change in the middle of a stream. By default nothing is said.
  var report: DecoderReport { get }

  /// Whether pictures that no other picture needs are skipped, to catch up.
  var skipsNonReferenceFrames: Bool { get set }
}

extension VideoDecoder {
  public var report: DecoderReport { DecoderReport() }
}
