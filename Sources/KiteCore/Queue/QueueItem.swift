import KiteSystem

/// One of the things that a player was given to play.
public struct QueueItem: Hashable, Sendable, Identifiable {
  /// Grows with everything that the player is given.
  public let id: UInt64
  /// The location as it was written, or the name of the app's bytes.
  public let name: String
}

/// An item that waits, is being opened, or is open.
final class QueueEntry: Sendable {
  let item: QueueItem
  let origin: MediaOrigin
  /// Ends the calls of its source.
  let interrupt = InterruptFlag()
  /// The same of the files that are read beside it.
  private let others = Locked<[InterruptFlag]>([])

  init(id: UInt64, origin: MediaOrigin) {
    item = QueueItem(id: id, name: origin.name)
    self.origin = origin
  }

  /// Nobody wants it any more: whatever its source blocks in ends. Idempotent.
  func cancel() {
    if !interrupt.set(), case .bytes(let source, _) = origin { source.cancel() }
    for other in others.withLock({ $0 }) { other.set() }
  }

  /// A file is read with it from now on, whose calls end when its own do.
  func adopt(_ other: InterruptFlag) {
    others.withLock { $0.append(other) }
    if interrupt.isSet { other.set() }
  }

  /// Ends the call that a source is in.
  func breakOff() {
    interrupt.breakOff()
    for other in others.withLock({ $0 }) { other.breakOff() }
  }

  /// No source is in a call.
  func clearBreak() {
    interrupt.clearBreak()
    for other in others.withLock({ $0 }) { other.clearBreak() }
  }
}

/// What is known of an item once it is open.
struct ItemFacts: Sendable {
  let entry: QueueEntry
  var tracks: [MediaTrack] = []
  /// The video that is played; nil: none, or none that can be decoded.
  var video: MediaTrack?
  /// The audio that is played unless somebody chooses another.
  var audio: MediaTrack?
  var hasAudio = false
  var duration: MediaTime?
  var isSeekable = true
  var isRemote = false
  var chapters: [Chapter] = []
  /// Why the sound plays alone.
  var videoError: MediaError?
}
