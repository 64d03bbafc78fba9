/// A file inside of a media file, such as a font.
public struct MediaAttachment: Hashable, Sendable {
  /// Its name as the container has it.
  public var name: String
  /// Its bytes.
  public var bytes: [UInt8]

  /// A file of `bytes`.
  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

/// What a subtitle track consists of.
public enum SubtitleForm: Hashable, Sendable {
  /// Lines of ASS. `header` is the script's head with its styles.
  ///
  /// - Parameter isStyled: whether it was made as ASS, and is to be placed in the picture as its author placed it; plain
  ///   text may go into the bars below the picture.
  case text(header: [UInt8], isStyled: Bool)
  /// Pictures.
  case pictures
}

/// Turns the packets of a subtitle track into events. Used by one thread at a time.
public protocol SubtitleDecoder: AnyObject {
  /// What comes out.
  var form: SubtitleForm { get }

  /// The events of `packet`; often one.
  ///
  /// - Throws: `MediaError` of kind `decoding` for a damaged packet: go on with the next one.
  func decode(_ packet: any MediaPacket) throws(MediaError) -> [SubtitleEvent]

  /// Forgets what is inside, as after a seek.
  func flush()
}

/// Draws lines of ASS. Used by one thread at a time.
public protocol SubtitleTextRenderer: AnyObject {
  /// Draws what `lines` show at `time`; `body` gets it, and may use it until it returns. Takes its time: fonts are searched
  /// and loaded.
  ///
  /// - Parameter lines: all that are visible then, each with a number that is its own.
  func draw(
    _ lines: [SubtitleLine], at time: MediaTime, on canvas: SubtitleCanvas, _ body: (SubtitleDrawing) -> Void)
}

/// A line of text in a track.
public struct SubtitleLine: Sendable {
  /// Tells it from all others of its track.
  public let number: Int
  /// When it appears.
  public let start: MediaTime
  /// When it goes.
  public let end: MediaTime
  /// See `SubtitleEvent.Content.text`.
  public let text: String

  /// The line `text`, shown from `start` to `end`.
  public init(number: Int, start: MediaTime, end: MediaTime, text: String) {
    self.number = number
    self.start = start
    self.end = end
    self.text = text
  }
}

/// Makes what draws text.
public protocol SubtitleTextRendererFactory: Sendable {
  /// A renderer for a track of the form `header`, with the fonts that the film brings. Takes its time; any thread.
  ///
  /// - Throws: `MediaError` of kind `unsupported` when what it takes is not installed.
  func makeRenderer(
    header: [UInt8], isStyled: Bool, fonts: [MediaAttachment]
  ) throws(MediaError) -> sending any SubtitleTextRenderer
}
