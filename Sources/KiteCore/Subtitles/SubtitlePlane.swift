/// What lies over the pictures of a player: its subtitles. Any thread; only `draw` takes long.
public protocol SubtitlePlane: AnyObject, Sendable {
  /// What is to be seen over the picture of media time `time`, without drawing it.
  func span(at time: MediaTime) -> SubtitleSpan

  /// Draws what is to be seen over the picture of `time`; `body` gets it, and may use it until it returns. May take long;
  /// one caller at a time, others wait. Calls `body` once, or not at all where there is nothing to draw with.
  func draw(at time: MediaTime, on canvas: SubtitleCanvas, _ body: (SubtitleDrawing) -> Void)

  /// Has `handler` called whenever `span` may say something else for the same time; nil ends that. On any thread, with
  /// locks held: it only wakes.
  func onChange(_ handler: (@Sendable () -> Void)?)
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
