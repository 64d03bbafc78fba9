/// What a source waits for, or what has happened to it.
public struct PollEvents: OptionSet, Hashable, Sendable {
  public let rawValue: Int16
  /// Wraps `poll(2)` bits.
  public init(rawValue: Int16) { self.rawValue = rawValue }

  /// `POLLIN`: there is something to read.
  public static let read = PollEvents(rawValue: 0x001)
  /// `POLLOUT`: there is room to write.
  public static let write = PollEvents(rawValue: 0x004)
  /// `POLLERR`, `POLLHUP` or `POLLNVAL`; always reported, never asked for.
  public static let failure = PollEvents(rawValue: 0x008 | 0x010 | 0x020)
}

/// Something with a descriptor that a loop polls. All calls come on the loop's own thread.
public protocol PollSource: AnyObject {
  /// The descriptor to poll; negative while there is none.
  var descriptor: Int32 { get }
  /// Called before each poll: the place to dispatch what is pending and to flush. Returns what to wait for.
  func prepare() -> PollEvents
  /// Called after each poll with what happened, also when that is nothing, so that a prepared read can be cancelled.
  func process(_ events: PollEvents)
  /// Whether other threads wait for this source between its `prepare` and its `process`: it is then prepared after
  /// all others and processed before them, so that nothing of theirs holds it up. False unless it says otherwise.
  var isUrgent: Bool { get }
}

extension PollSource {
  /// Most sources keep nobody waiting.
  public var isUrgent: Bool { false }
}
