import KiteSystem

/// The pictures that a renderer was given: the one that is due, for renderers that come later, and those ahead of it.
struct PictureTrail: ~Copyable {
  private var pictures = RingBuffer<TimedFrame>(capacity: PictureTrail.limit)

  /// More are never ahead: who hands more over loses sight of the oldest.
  static let limit = 8

  var isEmpty: Bool { pictures.isEmpty }

  /// Another picture was handed over at `now`.
  mutating func append(_ picture: consuming TimedFrame, at now: MonotonicTime) {
    if pictures.isFull { _ = pictures.popFirst() }
    _ = pictures.append(picture)
    forget(before: now)
  }

  /// The picture that is to be seen at `now`; before all of their times the first. A second frame over its memory.
  mutating func current(at now: MonotonicTime) -> VideoFrame? {
    forget(before: now)
    return pictures.withElement(at: 0) { $0.frame.duplicate() }
  }

  /// Those from `target` on were taken back.
  mutating func takeBack(from target: MonotonicTime) {
    while let last = pictures.withElement(at: pictures.count - 1, { $0.target }), last >= target {
      _ = pictures.popLast()
    }
  }

  /// Those ahead are not to be seen any more.
  mutating func dropAhead(at now: MonotonicTime) {
    forget(before: now)
    while pictures.count > 1 { _ = pictures.popLast() }
  }

  /// All of them are of a former item.
  mutating func removeAll() { pictures.removeAll() }

  /// Gives the current picture, and those ahead of it, to `body`.
  mutating func forEach(at now: MonotonicTime, _ body: (consuming VideoFrame, MonotonicTime) -> Void) {
    forget(before: now)
    for index in 0..<pictures.count {
      guard let picture = pictures.withElement(at: index, { $0.duplicate() }) else { return }
      let target = picture.target
      body(picture.takeFrame(), target)
    }
  }

  /// Lets go of pictures whose successor is due.
  private mutating func forget(before now: MonotonicTime) {
    while let next = pictures.withElement(at: 1, { $0.target }), next <= now { _ = pictures.popFirst() }
  }
}
