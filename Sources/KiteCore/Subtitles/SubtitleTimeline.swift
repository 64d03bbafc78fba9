/// The events of a subtitle track that are known, and which of them are visible when.
struct SubtitleTimeline {
  struct Entry {
    /// Its own in this timeline.
    let number: Int
    let start: MediaTime
    var end: MediaTime
    let isAnimated: Bool
    let content: SubtitleEvent.Content
  }

  /// By their start; of the same start, as they came.
  private var entries: [Entry] = []
  /// The latest end of the entries up to each one: how far back visible ones can be.
  private var latestEnds: [MediaTime] = []
  private var nextNumber = 1
  /// What is in it, so that a part of the film that is read again adds nothing.
  private var known: Set<Key> = []
  private var byteCount = 0
  /// Of pictures: one after the other, each ends the one before.
  private let isExclusive: Bool

  private struct Key: Hashable {
    let start: MediaTime
    let content: Int
  }

  /// Bytes of pictures and lines that are kept, about: two hours of text are half a megabyte, of pictures 30.
  static let byteLimit = 64 << 20
  /// Lines that are drawn at once at the most. Scripts with drawings have dozens.
  static let visibleLimit = 200
  private static let unknownLength = MediaTime(nanoseconds: .max)
  /// Hardly any subtitle is shown longer.
  private static let usualLength = MediaTime(seconds: 10)

  init(isExclusive: Bool) { self.isExclusive = isExclusive }

  var count: Int { entries.count }

  /// Takes events in; returns whether any was new.
  @discardableResult
  mutating func add(_ events: [SubtitleEvent]) -> Bool {
    var new: [Entry] = []
    for event in events {
      let end = event.end ?? Self.unknownLength
      guard end > event.start else { continue }
      guard known.insert(Key(start: event.start, content: Self.hash(event.content))).inserted else {
        continue
      }
      byteCount += Self.size(of: event.content)
      new.append(
        Entry(
          number: nextNumber, start: event.start, end: end, isAnimated: event.isAnimated,
          content: event.content))
      nextNumber += 1
    }
    guard !new.isEmpty else { return false }
    insert(new)
    trim()
    return true
  }

  /// What follows is not known: what would stay until the next event stays a while. Returns whether there was any.
  mutating func closeOpen() -> Bool {
    var isChanged = false
    for index in entries.indices where entries[index].end == Self.unknownLength {
      entries[index].end = entries[index].start + Self.usualLength
      isChanged = true
    }
    return isChanged
  }

  /// What is visible at `time`, lowest first.
  func lookup(at time: MediaTime) -> (visible: [Entry], span: SubtitleSpan) {
    let next = firstIndex(after: time)
    var end = next < entries.count ? entries[next].start : Self.unknownLength
    var visible: [Entry] = []
    var index = next
    while index > 0, latestEnds[index - 1] > time, visible.count < Self.visibleLimit {
      index -= 1
      let entry = entries[index]
      guard entry.end > time else { continue }
      end = min(end, entry.end)
      if case .pictures(let pictures) = entry.content, pictures.isEmpty { continue }
      visible.append(entry)
    }
    visible.reverse()
    let span = SubtitleSpan(
      marks: visible.map(\.number), isAnimated: visible.contains(where: \.isAnimated), end: end)
    return (visible, span)
  }

  private mutating func insert(_ new: [Entry]) {
    let new = new.count > 1 ? new.sorted { ($0.start, $0.number) < ($1.start, $1.number) } : new
    var changed: Int
    if new.count == 1, let entry = new.first {
      changed = firstIndex(after: entry.start)
      entries.insert(entry, at: changed)
    } else {
      changed = firstIndex(after: new[0].start)
      entries.append(contentsOf: new)
      if changed < entries.count - new.count {
        entries[changed...].sort { ($0.start, $0.number) < ($1.start, $1.number) }
      }
    }
    // Of those further back only the ones that reach into the new ones matter, and they have been closed before.
    changed = min(changed, closeBefore(changed))
    latestEnds.removeSubrange(changed...)
    var latest = latestEnds.last ?? MediaTime(nanoseconds: .min)
    for entry in entries[changed...] {
      latest = max(latest, entry.end)
      latestEnds.append(latest)
    }
  }

  /// Ends entries at the start of the next one: open ones, and all of a track of pictures. Returns the first that changed.
  private mutating func closeBefore(_ changed: Int) -> Int {
    // Several may begin at once: those that began just before the new ones are looked at together.
    var index = entries.count - 1
    var lowest = changed
    while lowest > 0, entries[lowest - 1].start == entries[max(0, changed - 1)].start { lowest -= 1 }
    /// The start of the entries behind those of one start, and of those themselves.
    var (following, own): (MediaTime?, MediaTime?) = (nil, nil)
    var first = changed
    while index >= lowest {
      let entry = entries[index]
      if entry.start != own { (following, own) = (own, entry.start) }
      if let following, entry.end > following, isExclusive || entry.end == Self.unknownLength {
        entries[index].end = following
        first = index
      }
      index -= 1
    }
    return first
  }

  /// Forgets the earliest events when there are too many: where they are needed again, they are read again.
  private mutating func trim() {
    guard byteCount > Self.byteLimit else { return }
    var count = 0
    while count < entries.count - 1, byteCount > Self.byteLimit / 2 {
      let entry = entries[count]
      byteCount -= Self.size(of: entry.content)
      known.remove(Key(start: entry.start, content: Self.hash(entry.content)))
      count += 1
    }
    entries.removeFirst(count)
    latestEnds.removeFirst(count)
  }

  private func firstIndex(after time: MediaTime) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].start > time { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private static func size(of content: SubtitleEvent.Content) -> Int {
    switch content {
    case .text(let line): 128 + line.utf8.count
    case .pictures(let pictures): pictures.reduce(128) { $0 + $1.pixels.count * 4 }
    }
  }

  /// Of what is shown, without the order of reading, which decoders count anew.
  private static func hash(_ content: SubtitleEvent.Content) -> Int {
    switch content {
    case .text(let line): line.drop { $0 != "," }.hashValue
    case .pictures(let pictures): pictures.hashValue
    }
  }
}
