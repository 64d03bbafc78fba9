/// The bounds a player works within. The defaults keep 1080p below 80 MB for the whole process; `docs/engine.md` has the
/// reasons.
public struct PlayerConfiguration: Hashable, Sendable {
  /// Bytes of packets that are read ahead; up to eight times that where they are less than half a second.
  public var packetByteLimit = 2 << 20
  /// The same where the bytes come over a network; at most eight times `packetByteLimit`.
  public var networkPacketByteLimit = 8 << 20
  /// After a wait for data playing goes on with this much read ahead, or with `bufferingByteCount`.
  public var bufferingSpan = MediaTime(nanoseconds: 500_000_000)
  /// After a wait for data playing goes on with so many bytes read ahead, or with `bufferingSpan`.
  public var bufferingByteCount = 8 << 20
  /// Decoded frames that wait for their time, at least one.
  public var frameLimit = 3
  /// Frames whose memory is alive at once: in the decoder, waiting, at the renderer. A decoder that gets no more takes
  /// memory of its own, which costs a copy.
  public var framePoolLimit = 24
  /// Threads for decoding; 0 lets the decoder choose by the machine.
  public var decoderThreadCount = 0

  /// The defaults.
  public init() {}
}
