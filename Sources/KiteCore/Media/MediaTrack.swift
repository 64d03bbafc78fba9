/// One track of a source.
public struct MediaTrack: Hashable, Sendable, Identifiable {
  /// What a track carries.
  public enum Kind: Hashable, Sendable {
    case video, audio, subtitle, other
  }

  /// The track's number in its source; packets carry it.
  public let id: Int
  /// What it carries.
  public let kind: Kind
  /// The codec's short name, such as `h264`.
  public let codec: String
  /// BCP 47 or ISO 639 tag as the container has it; nil when it has none.
  public let language: String?
  /// The track's title; nil when it has none.
  public let title: String?
  /// Whether the container marks it as the one to play.
  public let isDefault: Bool
  /// For subtitles: whether they are to be shown also to those who want none, as where another language is spoken.
  public let isForced: Bool
  /// Whether it comes from a file of its own (`KitePlayer.addSubtitleFile`, `addAudioFile`).
  public let isExternal: Bool
  /// A still that belongs to the file (cover art): not video to be played.
  public let isAttachedPicture: Bool
  /// For video: the size as it will be shown, in square pixels, as far as it is known before decoding.
  public let displaySize: PixelSize?
  /// For video: frames per second, as far as the container knows.
  public let frameRate: Double?
  /// For audio: rate and channels of its samples, as far as the container knows.
  public let audioFormat: AudioFormat?

  /// A track as a source reads it.
  public init(
    id: Int, kind: Kind, codec: String, language: String? = nil, title: String? = nil,
    isDefault: Bool = false,
    isForced: Bool = false, isExternal: Bool = false, isAttachedPicture: Bool = false,
    displaySize: PixelSize? = nil, frameRate: Double? = nil,
    audioFormat: AudioFormat? = nil
  ) {
    self.id = id
    self.kind = kind
    self.codec = codec
    self.language = language
    self.title = title
    self.isDefault = isDefault
    self.isForced = isForced
    self.isExternal = isExternal
    self.isAttachedPicture = isAttachedPicture
    self.displaySize = displaySize
    self.frameRate = frameRate
    self.audioFormat = audioFormat
  }
}
