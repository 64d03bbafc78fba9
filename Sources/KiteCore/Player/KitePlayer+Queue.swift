extension KitePlayer {
  /// Begins to open the first of `locations` and returns at once, like `startOpening` of one; the others wait behind it, in
  /// order, as if they were queued. Unlike `enqueue` after an opening this can't come too late: where the first one can't be
  /// played, the next one is, playing or paused as it was asked for, and `state.itemError` says why.
  ///
  /// - Returns: their items. Without any, nothing happens.
  @discardableResult
  public func startOpening(_ locations: [MediaLocation], playsWhenReady: Bool = false) -> [QueueItem] {
    guard let first = locations.first else { return [] }
    return begin(
      .location(first), followedBy: locations.dropFirst().map { .location($0) },
      playsWhenReady: playsWhenReady
    ).items
  }

  /// Adds `location` behind what is open and what waits already. With nothing open, or after a failure, it is opened at
  /// once, paused.
  ///
  /// ```swift
  /// player.startOpening(files.map { MediaLocation($0) }, playsWhenReady: true)
  /// player.enqueue(MediaLocation(oneMore))
  /// ```
  ///
  /// The next item is opened ahead, and follows without a gap in picture or sound where it is like the one before: both
  /// with pictures, both with sound, and one that can go back to its start. Others begin when the one before has ended.
  /// `state.item` says which is shown; the status stays `playing` over the join. An item that can't be played is passed
  /// over, and `state.itemError` says why; only the last one makes the status `failed`.
  ///
  /// At `ended` the item waits for `play` or `next`. Opening something else, and closing, let go of all that waits.
  @discardableResult
  public func enqueue(_ location: MediaLocation) -> QueueItem { enqueue(.location(location)) }

  /// Adds bytes that the app gives, which errors then call `name`; otherwise like a location.
  @discardableResult
  public func enqueue(_ source: any ByteSource, name: String = "stream") -> QueueItem {
    enqueue(.bytes(source, name: name))
  }

  private func enqueue(_ origin: MediaOrigin) -> QueueItem {
    if let engine {
      let entry = makeEntry(origin)
      if engine.enqueue(entry) { return entry.item }
    }
    let items = begin(origin, playsWhenReady: false).items
    return items[0]
  }

  /// What waits behind the item that is shown, in order.
  public var queue: [QueueItem] { engine?.monitor.withLock { $0.waitingItems } ?? [] }

  /// Goes on to the next item at once; playing or paused as before, and paused from `ended`. Returns whether there is
  /// one; else nothing happens.
  @discardableResult
  public func next() -> Bool { engine?.next() ?? false }

  /// Lets all go that waits behind the item that is shown.
  public func clearQueue() { engine?.clearQueue() }
}

extension Engine {
  func enqueue(_ entry: QueueEntry) -> Bool { change { state, _ in state.enqueue(entry) } }

  func next() -> Bool { jumpingChange { state, now in state.next(at: now) } }

  func clearQueue() {
    for entry in jumpingChange({ state, now in state.clearQueue(at: now) }) { entry.cancel() }
  }
}
