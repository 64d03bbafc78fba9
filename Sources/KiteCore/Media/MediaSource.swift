import Synchronization

/// What to open: a path or an address, as the user wrote it.
public struct MediaLocation: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// A file path, or an address with a scheme (`https://…`).
  public let text: String

  /// A location as the user wrote it.
  public init(_ text: String) { self.text = text }

  /// A location as the programmer wrote it.
  public init(stringLiteral text: String) { self.text = text }

  public var description: String { text }
}

/// Ends whatever a source blocks in: for good, once `set`; or for one call, when the engine wants to go elsewhere.
public final class InterruptFlag: Sendable {
  private let flag = Atomic(false)
  private let breaksOff = Atomic(false)
  /// A flag that is not set.
  public init() {}
  /// Makes blocking calls of the source return `MediaError.Kind.cancelled` soon, now and later. Any thread.
  ///
  /// - Returns: Whether it was set before.
  @discardableResult
  public func set() -> Bool { flag.exchange(true, ordering: .acquiringAndReleasing) }
  /// Whether a blocking call of the source is to end with `MediaError.Kind.cancelled` now. The next call may be wanted:
  /// ask anew in each.
  public var isSet: Bool { flag.load(ordering: .acquiring) || breaksOff.load(ordering: .acquiring) }

  /// Ends the call that the source is in.
  func breakOff() { breaksOff.store(true, ordering: .releasing) }
  /// The source is in no call.
  func clearBreak() { breaksOff.store(false, ordering: .releasing) }
}

/// Opens sources: an adapter to a media library, or an app's own.
public protocol MediaBackend: Sendable {
  /// Opens `location` and reads enough to know its tracks. Blocks; returns soon after `interrupt` is set.
  func open(_ location: MediaLocation, interrupt: InterruptFlag) throws(MediaError) -> sending any MediaSource

  /// Opens an app's bytes, which errors call `name`; otherwise like `open`. By default: `unsupported`.
  func open(_ source: any ByteSource, name: String, interrupt: InterruptFlag) throws(MediaError)
    -> sending any MediaSource

  /// Opens a file of subtitles alone. Blocks; returns soon after `interrupt` is set. By default like `open`.
  func openSubtitles(_ location: MediaLocation, interrupt: InterruptFlag) throws(MediaError)
    -> sending any MediaSource
}

extension MediaBackend {
  public func open(_ source: any ByteSource, name: String, interrupt: InterruptFlag) throws(MediaError)
    -> sending any MediaSource
  {
    throw MediaError(
      kind: .unsupported, subject: name, reason: "is given by the app, which this backend does not read",
      advice: "Give a file or an address.")
  }

  public func openSubtitles(_ location: MediaLocation, interrupt: InterruptFlag) throws(MediaError)
    -> sending any MediaSource
  {
    try open(location, interrupt: interrupt)
  }
}

/// A compressed packet of one track. Immutable, and so free to cross threads.
public protocol MediaPacket: AnyObject, Sendable {
  /// The track it belongs to.
  var trackID: Int { get }
  /// Presentation time, when the container knows.
  var pts: MediaTime? { get }
  /// Bytes of payload, for the bounds of queues.
  var byteCount: Int { get }
  /// Whether decoding can start here.
  var isKeyframe: Bool { get }
}

/// An open source. Used by one thread at a time: the engine's demuxer.
public protocol MediaSource: AnyObject {
  /// All tracks, in the container's order.
  var tracks: [MediaTrack] { get }
  /// Length of the whole; nil when it isn't known, as for a live stream.
  var duration: MediaTime? { get }

  /// Whether `seek` can work: not for a pipe.
  var isSeekable: Bool { get }

  /// Whether its bytes come over a network: then more is read ahead, and calls are broken off that are not wanted any more.
  var isRemote: Bool { get }

  /// Says which tracks `readPacket` yields; the others are skipped unread where the container allows.
  func select(_ trackIDs: Set<Int>)

  /// The next packet of a selected track, or nil at the end. Blocks.
  func readPacket() throws(MediaError) -> (any MediaPacket)?

  /// Goes to the last keyframe at or before `time`, from which `readPacket` continues. Blocks.
  func seek(to time: MediaTime) throws(MediaError)

  /// A decoder for a video track of this source.
  func makeVideoDecoder(for trackID: Int, options: VideoDecoderOptions) throws(MediaError)
    -> sending any VideoDecoder

  /// A decoder for an audio track of this source, whose samples come out in `format`.
  func makeAudioDecoder(for trackID: Int, format: AudioFormat) throws(MediaError) -> sending any AudioDecoder

  /// A decoder for a subtitle track of this source.
  func makeSubtitleDecoder(for trackID: Int) throws(MediaError) -> sending any SubtitleDecoder

  /// Fonts that are attached for the subtitles.
  var fonts: [MediaAttachment] { get }

  /// Parts that the container names, in order.
  var chapters: [Chapter] { get }
}

extension MediaSource {
  /// A source that doesn't say otherwise has no subtitles.
  public func makeSubtitleDecoder(for trackID: Int) throws(MediaError) -> sending any SubtitleDecoder {
    throw MediaError(
      kind: .unsupported, subject: "track \(trackID)", reason: "is subtitles, and has no decoder")
  }

  /// By default none.
  public var fonts: [MediaAttachment] { [] }

  /// By default none.
  public var chapters: [Chapter] { [] }
}

extension MediaSource {
  /// A source that doesn't say otherwise is silent.
  public func makeAudioDecoder(for trackID: Int, format: AudioFormat) throws(MediaError)
    -> sending any AudioDecoder
  {
    throw MediaError(kind: .unsupported, subject: "track \(trackID)", reason: "is sound, and has no decoder")
  }
}

extension MediaSource {
  /// Sources that don't say otherwise can be searched.
  public var isSeekable: Bool { true }
  /// Sources that don't say otherwise are near.
  public var isRemote: Bool { false }
}
