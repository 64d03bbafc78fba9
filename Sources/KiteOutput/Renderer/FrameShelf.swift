import KiteCore
import KiteSystem

/// The frames that a renderer has accepted and not committed, in the order in which they came. Shared by those who bring
/// them and the presenter, under a lock: so they can be taken back at any moment before their commit.
struct FrameShelf: ~Copyable {
  /// What there is to know of a frame that waits.
  struct Entry: Hashable {
    let number: UInt64
    let target: MonotonicTime
    let aim: FramePacer.Aim?
  }

  /// Frames that wait, at the most. Handed over two at a time and a frame before they are wanted, four are at 60 Hz, and one
  /// whose vblank is a refresh after its time; each holds 3 MB at 1080p.
  static let capacity = 6

  private var frames = RingBuffer<PendingFrame>(capacity: FrameShelf.capacity)
  private var latest: UInt64 = 0
  /// Frames up to this number have been aimed.
  private var aimed: UInt64 = 0
  /// Until when the presenter sleeps, whatever comes that isn't wanted before; nil: it is to be woken for everything.
  var sleepEnd: MonotonicTime?

  /// Takes a frame on, where there is no room at the expense of the newest one that waits: were it the oldest, the frames of
  /// a film with more of them than fit before their time would push each other out, and none would ever be due.
  ///
  /// - Returns: whether the presenter has to be woken.
  mutating func append(_ frame: consuming VideoFrame, at target: MonotonicTime, ledger: FrameLedger) -> Bool {
    if frames.isFull { frames.popLast()?.supersede() }
    latest += 1
    let pending = PendingFrame(frame: frame, ticket: ledger.accept(), target: target, number: latest)
    // There is room; were there none, it would be the newest that is lost.
    frames.append(pending)?.fail()
    guard let sleepEnd else { return true }
    return target - FrameLeads.usual < sleepEnd
  }

  /// Aims frames that have come since the last call.
  mutating func aimNew(_ aim: (MonotonicTime, VideoFrame.Properties) -> FramePacer.Aim?) {
    guard aimed < latest else { return }
    for _ in 0..<frames.count {
      guard var pending = frames.popFirst() else { break }
      if pending.number > aimed { pending.aim = aim(pending.target, pending.frame.properties) }
      frames.append(pending)?.fail()
    }
    aimed = latest
  }

  /// All that wait, the oldest first.
  var entries: [Entry] {
    (0..<frames.count).compactMap { index in
      frames.withElement(at: index) { Entry(number: $0.number, target: $0.target, aim: $0.aim) }
    }
  }

  /// The first frame, as a second one over its memory.
  func first() -> VideoFrame? { frames.withElement(at: 0) { $0.frame.duplicate() } }

  /// What the first frame says of itself.
  var firstProperties: VideoFrame.Properties? { frames.withElement(at: 0) { $0.frame.properties } }

  /// Ends those before `number` for it. Whether it is still here.
  mutating func reach(_ number: UInt64) -> Bool {
    while let first = frames.withElement(at: 0, { $0.number }) {
      if first == number { return true }
      guard first < number else { return false }
      frames.popFirst()?.supersede()
    }
    return false
  }

  /// Takes the frame that those before it were ended for; nil when it was taken back meanwhile.
  mutating func take(_ number: UInt64) -> PendingFrame? { reach(number) ? frames.popFirst() : nil }

  /// Gives back those that are to be seen after `time`, the oldest first.
  mutating func recall(after time: MonotonicTime) -> RingBuffer<TimedFrame> {
    var recalled = RingBuffer<TimedFrame>(capacity: Self.capacity)
    while let target = frames.withElement(at: frames.count - 1, { $0.target }), target > time {
      if let pending = frames.popLast() { _ = recalled.prepend(pending.withdraw()) }
    }
    return recalled
  }

  /// They are of a time line that is over.
  mutating func supersedeAll() {
    while let pending = frames.popFirst() { pending.supersede() }
  }

  /// Nothing is shown any more.
  mutating func failAll() {
    while let pending = frames.popFirst() { pending.fail() }
  }
}

extension PendingFrame {
  /// Ends it as if it had not come.
  consuming func withdraw() -> TimedFrame {
    ticket.withdrawn()
    return TimedFrame(frame, at: target)
  }
}
