/// A part of a film that the container names.
public struct Chapter: Hashable, Sendable {
  /// Its title; nil when it has none.
  public var title: String?
  /// Where it begins.
  public var start: MediaTime
  /// Where it ends.
  public var end: MediaTime

  /// A chapter from `start` to `end`.
  public init(title: String?, start: MediaTime, end: MediaTime) {
    self.title = title
    self.start = start
    self.end = end
  }
}
