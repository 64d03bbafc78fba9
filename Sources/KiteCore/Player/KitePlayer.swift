import KiteSystem

/// Plays one location at a time: opens it, decodes its video, keeps its clock, and gives the pictures to the renderers
/// that views attach.
///
/// Every member may be used on any thread. None waits for media, except `open` (async) and `close` (at most 0.2 s).
/// The player needs no view: without one it plays on, and a view that comes later gets the current picture at once.
///
/// ```swift
/// let player = KitePlayer(backend: backend)
/// view.player = player
/// try await player.open("film.mkv")
/// player.play()
/// for await state in player.stateChanges() where state.status == .ended { break }
/// ```
///
/// The last reference closes it.
public final class KitePlayer: Player, Sendable {
  private let backend: any MediaBackend
  private let sinks: (any AudioSinkFactory)?
  private let texts: (any SubtitleTextRendererFactory)?
  private let configuration: PlayerConfiguration
  let time: any TimeSource
  /// How long `close` waits for threads that hang, in nanoseconds: so long that no ordinary step of a decoder is left
  /// behind, so short that it stays below 0.2 s.
  static let patience = 150_000_000 as Int64
  private let patience: Int64
  let line: RendererLine
  let publisher = StatePublisher()
  private let current = Locked(Current())

  private struct Current {
    var engine: Engine?
    /// Of the newest engine, or of the newest close.
    var lastID: UInt64 = 0
    /// Of the newest item.
    var lastItem: UInt64 = 0
    var rate = 1.0
    var isLooping = false
    var volume = Volume()
    var subtitleDelay = MediaTime.zero

    mutating func makeEntry(_ origin: MediaOrigin) -> QueueEntry {
      lastItem += 1
      return QueueEntry(id: lastItem, origin: origin)
    }

    /// The state of a player with nothing open.
    var idleState: PlayerState {
      var state = PlayerState()
      state.rate = rate
      state.isLooping = isLooping
      volume.tell(&state)
      state.subtitleDelay = subtitleDelay
      return state
    }
  }

  /// A player that opens its media through `backend`, and is heard through `sinks`; without them it is silent, and reads
  /// no sound. `texts` draws subtitles of text; without it those are not shown.
  public convenience init(
    backend: any MediaBackend, sinks: (any AudioSinkFactory)? = nil,
    texts: (any SubtitleTextRendererFactory)? = nil,
    configuration: PlayerConfiguration = PlayerConfiguration()
  ) {
    self.init(
      backend: backend, sinks: sinks, texts: texts, configuration: configuration,
      time: KernelTime.shared)
  }

  init(
    backend: any MediaBackend, sinks: (any AudioSinkFactory)? = nil,
    texts: (any SubtitleTextRendererFactory)? = nil,
    configuration: PlayerConfiguration = PlayerConfiguration(),
    time: any TimeSource, patience: Int64 = KitePlayer.patience
  ) {
    self.backend = backend
    self.sinks = sinks
    self.texts = texts
    self.configuration = configuration
    self.time = time
    line = RendererLine(time: time)
    self.patience = patience
  }

  deinit {
    close()
    publisher.finish()
  }

  // MARK: Opening and closing

  /// Opens `location` and shows its first picture, paused; or, with `playsWhenReady`, playing. Closes what was open.
  ///
  /// Returns once the status is `paused` or `playing`. `play` and `pause` called meanwhile are honoured. Cancelling the
  /// task closes.
  ///
  /// - Throws: `MediaError` when it can't be opened, which is then also the state's error; of kind `cancelled` when
  ///   `close` or another opening came first.
  ///
  /// What is queued meanwhile (`enqueue`) is opened in its place when it can't be; then nothing is thrown.
  public func open(_ location: MediaLocation, playsWhenReady: Bool = false) async throws(MediaError) {
    try await open(.location(location), playsWhenReady)
  }

  /// Opens bytes that the app gives, which errors then call `name`; its extension helps where the bytes leave the format
  /// open. Otherwise like opening a location.
  public func open(
    _ source: any ByteSource, name: String = "stream", playsWhenReady: Bool = false
  ) async throws(MediaError) {
    try await open(.bytes(source, name: name), playsWhenReady)
  }

  private func open(_ origin: MediaOrigin, _ playsWhenReady: Bool) async throws(MediaError) {
    let (engine, _) = begin(origin, playsWhenReady: playsWhenReady)
    let result = await withTaskCancellationHandler {
      await engine.opened()
    } onCancel: {
      close(only: engine, waits: false)
    }
    try result.get()
  }

  /// Begins to open `location` and returns at once, with the status `opening`; the state tells what becomes of it.
  /// Otherwise like `open`.
  public func startOpening(_ location: MediaLocation, playsWhenReady: Bool = false) {
    _ = begin(.location(location), playsWhenReady: playsWhenReady)
  }

  /// Begins to open bytes that the app gives, and returns at once; otherwise like `open`.
  public func startOpening(_ source: any ByteSource, name: String = "stream", playsWhenReady: Bool = false) {
    _ = begin(.bytes(source, name: name), playsWhenReady: playsWhenReady)
  }

  /// Ends playback and lets everything go: the status is `idle` on return. Renderers stay attached, with their last
  /// picture.
  ///
  /// Idempotent; from any status. Returns within 0.2 s: threads that a source holds up longer end by themselves.
  public func close() {
    close(only: nil, waits: true)
  }

  /// Opens `origin`; `others` wait behind it. Returns the items in order.
  func begin(_ origin: MediaOrigin, followedBy others: [MediaOrigin] = [], playsWhenReady: Bool)
    -> (engine: Engine, items: [QueueItem])
  {
    let (engine, items, former) = current.withLock { current in
      current.lastID += 1
      let entry = current.makeEntry(origin)
      let following = others.map { current.makeEntry($0) }
      let engine = Engine(
        id: current.lastID, entry: entry, backend: backend, sinks: sinks, texts: texts,
        configuration: configuration, playsWhenReady: playsWhenReady, rate: current.rate,
        volume: current.volume, subtitleDelay: current.subtitleDelay, isLooping: current.isLooping,
        line: line, publisher: publisher, time: time,
        patience: patience)
      // Before it can fail: then there is something to go on with.
      engine.monitor.withLock { state in
        for entry in following { _ = state.enqueue(entry) }
      }
      let former = current.engine
      current.engine = engine
      var state = current.idleState
      state.status = .opening
      state.item = entry.item
      publisher.begin(current.lastID, with: state)
      return (engine, ([entry] + following).map(\.item), former)
    }
    publisher.callObservers()
    line.advance(to: engine.epoch(of: 0))
    former?.close(waits: false)
    engine.start()
    return (engine, items)
  }

  func makeEntry(_ origin: MediaOrigin) -> QueueEntry { current.withLock { $0.makeEntry(origin) } }

  /// Closes what is open, or only `engine` if that is.
  private func close(only engine: Engine?, waits: Bool) {
    let closed = current.withLock { current -> (engine: Engine, id: UInt64)? in
      guard let open = current.engine, engine == nil || engine === open else { return nil }
      current.engine = nil
      current.lastID += 1
      publisher.begin(current.lastID, with: current.idleState)
      return (open, current.lastID)
    }
    guard let closed else { return }
    publisher.callObservers()
    line.advance(to: RendererLine.Epoch(item: closed.id, generation: 0))
    closed.engine.close(waits: waits)
  }

  // MARK: Playing

  /// Starts or resumes; while opening: as soon as it is open. From `ended` it starts over, if the source can go back.
  /// Without anything open, or after a failure: nothing.
  public func play() { engine?.play() }

  /// Holds the position. Without anything open: nothing.
  public func pause() { engine?.pause() }

  /// The engine of what is open.
  var engine: Engine? { current.withLock { $0.engine } }

  /// Goes to `time`, within the media. The position is there at once; the picture follows, also while paused. While
  /// opening: as soon as it is open. From `ended`: paused. Where `state.isSeekable` is false: nothing.
  ///
  /// A seek replaces the one before; asked for faster than pictures can be decoded, each still shows one.
  public func seek(to time: MediaTime, mode: SeekMode = .precise) { engine?.seek(to: time, mode: mode) }

  /// Goes `span` further, or back: from where a seek under way is going, so that several add up. Otherwise like
  /// `seek(to:mode:)`.
  public func seek(by span: MediaTime, mode: SeekMode = .precise) { engine?.seek(by: span, mode: mode) }

  /// Pauses, and shows the picture `count` further, or back. Beyond the last one: the last one.
  public func step(by count: Int) { engine?.step(by: count) }

  /// Media seconds a second, 0.25…4; others are brought within. Kept from one item to the next.
  public var rate: Double {
    get { current.withLock { $0.rate } }
    set {
      guard newValue.isFinite else { return }
      let rate = min(max(newValue, 0.25), 4)
      current.withLock { current in
        current.rate = rate
        return current.engine
      }?.setRate(rate)
    }
  }

  /// Whether the film begins again at its end, without a gap in picture or sound; where the source can go back. Kept from
  /// one item to the next.
  ///
  /// The next lap is read ahead: switched off within the last seconds, it is still played. At `ended` already: nothing.
  public var isLooping: Bool {
    get { current.withLock { $0.isLooping } }
    set {
      let engine = current.withLock { current -> Engine? in
        guard current.isLooping != newValue else { return nil }
        current.isLooping = newValue
        if current.engine == nil { publisher.begin(current.lastID, with: current.idleState) }
        return current.engine
      }
      if let engine { engine.setLooping(newValue) } else { publisher.callObservers() }
    }
  }

  /// The part of the film that is played over and over, without a gap in picture or sound: to the sample, and from the
  /// first picture within it to the last; nil: all of it. Of what is open; what comes next begins without one.
  ///
  /// Setting it, also to nil, finds the position anew, as a seek to it; from behind its end it goes to its beginning. A seek
  /// to behind its end leaves it, until one goes back. Its end may be behind the film's. Parts shorter than 0.1 s, and where
  /// the source can't go back: nothing.
  public var loopRange: Range<MediaTime>? {
    get { state.loopRange }
    set { engine?.setLoopRange(newValue) }
  }

  /// How much later than they say subtitles are shown; negative: earlier. Kept from one item to the next. Live.
  public var subtitleDelay: MediaTime {
    get { current.withLock { $0.subtitleDelay } }
    set {
      let engine = current.withLock { current -> Engine? in
        guard current.subtitleDelay != newValue else { return nil }
        current.subtitleDelay = newValue
        if current.engine == nil { publisher.begin(current.lastID, with: current.idleState) }
        return current.engine
      }
      if let engine { engine.setSubtitleDelay { self.subtitleDelay } } else { publisher.callObservers() }
    }
  }

  var soundVolume: Volume { current.withLock { $0.volume } }

  func changeVolume(_ change: (inout Volume) -> Void) {
    let engine = current.withLock { current -> Engine? in
      let before = current.volume
      change(&current.volume)
      guard current.volume != before else { return nil }
      if current.engine == nil { publisher.begin(current.lastID, with: current.idleState) }
      return current.engine
    }
    // Read anew under the engine's lock: the last change wins there too.
    if let engine { engine.setVolume { self.soundVolume } } else { publisher.callObservers() }
  }
}
