public import KiteSystem

/// What lies over the pictures of a player: its subtitles. Any thread; only `draw` takes long.
public protocol SubtitlePlane: AnyObject, Sendable {
  /// The media time of the text that is to be seen at `now`, over the picture of `picture`: that of the picture, but
  /// for one that stays longer than pictures of a film do, whose text comes and goes while it is shown. By default the
  /// picture's.
  func time(over picture: MediaTime, at now: MonotonicTime) -> MediaTime

  /// When `time` becomes the time of the text over the picture of `picture`, if no other picture comes before; nil: not as
  /// things are. By default nil. `onChange` tells when that may be another one.
  func due(_ time: MediaTime, over picture: MediaTime, at now: MonotonicTime) -> MonotonicTime?

  /// What is to be seen over the picture of media time `time`, without drawing it.
  func span(at time: MediaTime) -> SubtitleSpan

  /// Draws what is to be seen over the picture of `time`; `body` gets it, and may use it until it returns. May take long;
  /// one caller at a time, others wait. Calls `body` once, or not at all where there is nothing to draw with.
  func draw(at time: MediaTime, on canvas: SubtitleCanvas, _ body: (SubtitleDrawing) -> Void)

  /// Has `handler` called whenever `span` may say something else for the same time; nil ends that. On any thread, with
  /// locks held: it only wakes.
  func onChange(_ handler: (@Sendable () -> Void)?)
}

extension SubtitlePlane {
  public func time(over picture: MediaTime, at now: MonotonicTime) -> MediaTime { picture }
  public func due(_ time: MediaTime, over picture: MediaTime, at now: MonotonicTime) -> MonotonicTime? { nil }
}

/// What is shown over the pictures of a stretch of time.
public struct SubtitleSpan: Hashable, Sendable {
  /// Tells one content from another; empty: nothing is shown.
  public var marks: [Int]
  /// Whether the content differs from picture to picture.
  public var isAnimated: Bool
  /// Until when, in media time, it holds, unless a change is told.
  public var end: MediaTime

  /// A span until `end`.
  public init(marks: [Int], isAnimated: Bool = false, end: MediaTime) {
    self.marks = marks
    self.isAnimated = isAnimated
    self.end = end
  }

  /// Whether nothing is shown.
  public var isEmpty: Bool { marks.isEmpty }
}

/// What subtitles are drawn on: the whole view, in physical pixels.
public struct SubtitleCanvas: Hashable, Sendable {
  /// The view's size.
  public var size: PixelSize
  /// Where the film's picture is in it; sticks out where the view cuts some of it off.
  public var picture: PixelRect
  /// The picture's size as it is stored, cropped and turned, before pixels that aren't square are stretched.
  public var storage: PixelSize

  /// A canvas of `size`.
  public init(size: PixelSize, picture: PixelRect, storage: PixelSize) {
    self.size = size
    self.picture = picture
    self.storage = storage
  }
}
