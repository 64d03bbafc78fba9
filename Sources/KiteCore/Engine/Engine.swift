import Glibc
import KiteSystem

/// What is played: its threads, its queues, its clock. Made for one item, and for those that follow it; closed once.
///
/// Demuxer thread → packets → decoder thread → frames → delivery thread → the renderer in front. All state is in
/// `EngineState`, under one lock that no thread holds while it calls a source, a decoder or a renderer.
final class Engine: Sendable {
  /// Newer engines have larger ones.
  let id: UInt64
  let backend: any MediaBackend
  let sinks: (any AudioSinkFactory)?
  let texts: (any SubtitleTextRendererFactory)?
  let configuration: PlayerConfiguration
  let line: RendererLine
  let publisher: StatePublisher
  let time: any TimeSource
  let pool: FramePool
  let monitor: Monitor<EngineState>

  /// How long `close` waits for threads that a source or a decoder holds up, in nanoseconds. They end by themselves.
  private let patience: Int64

  init(
    id: UInt64, entry: QueueEntry, backend: any MediaBackend, sinks: (any AudioSinkFactory)?,
    texts: (any SubtitleTextRendererFactory)?, configuration: PlayerConfiguration, playsWhenReady: Bool,
    rate: Double, volume: Volume, subtitleDelay: MediaTime, isLooping: Bool,
    line: RendererLine, publisher: StatePublisher, time: any TimeSource,
    patience: Int64
  ) {
    self.id = id
    self.backend = backend
    self.sinks = sinks
    self.texts = texts
    self.configuration = configuration
    self.line = line
    self.publisher = publisher
    self.time = time
    self.patience = patience
    pool = FramePool(limit: configuration.framePoolLimit)
    var state = EngineState(
      entry: entry, configuration: configuration, wantsPlay: playsWhenReady)
    state.clock.setRate(rate, at: .distantPast)
    state.rate = rate
    state.volume = volume
    state.isLooping = isLooping
    state.subtitles.delay = subtitleDelay
    monitor = Monitor(state, time: time)
  }

  // MARK: The lock

  /// Changes the state, then wakes and tells whom it concerns.
  @discardableResult
  func change<Result: ~Copyable>(_ body: (inout EngineState, MonotonicTime) -> Result) -> Result {
    let result = monitor.withLock { state in
      let result = body(&state, time.now)
      settle(&state)
      return result
    }
    publisher.callObservers()
    return result
  }

  /// Changes the state in turns, asleep between them. Wakes and tells after every turn.
  func turns<Result: ~Copyable>(
    as sleeper: Sleeper, _ body: (inout EngineState, MonotonicTime) -> Turn<Result>
  ) -> Result {
    while true {
      // Observers are called without the lock: a turn that has something to tell ends the run and begins another.
      let result: Result? = monitor.run(as: sleeper) { state in
        let turn = body(&state, time.now)
        let isTold = settle(&state)
        switch consume turn {
        case .done(let result): return .done(result)
        case .sleep(let deadline): return isTold ? .done(nil) : .sleep(until: deadline)
        }
      }
      publisher.callObservers()
      if let result { return result }
    }
  }

  /// Returns whether there is something to tell.
  @discardableResult
  private func settle(_ state: inout EngineState) -> Bool {
    var isTold = state.isChanged
    if isTold {
      state.isChanged = false
      // What was said last is over with the film, whatever its time says.
      state.subtitles.scene?.setHidden(state.status.status == .ended)
      let snapshot = state.snapshot(at: time.now)
      publisher.publish(snapshot, from: id)
      note(snapshot, after: &state.loggedStatus)
    }
    if state.breaksOffCall {
      state.breaksOffCall = false
      state.calledEntry?.breakOff()
    }
    while let entry = state.unwanted.popLast() {
      // An app's source is called without the lock.
      publisher.answer { entry.cancel() }
      isTold = true
    }
    if !state.wakes.isEmpty {
      monitor.wake(state.wakes)
      state.wakes = []
    }
    if let result = state.openingResult, !state.waiters.isEmpty {
      for waiter in state.waiters { publisher.answer { waiter.resume(returning: result) } }
      state.waiters.removeAll()
      isTold = true
    }
    return isTold
  }

  /// Logs a change of status, with no lock held: when the observers are told.
  private func note(_ state: PlayerState, after logged: inout PlaybackStatus) {
    guard state.status != logged else { return }
    logged = state.status
    let level: LogLevel = state.status == .failed ? .error : state.status == .ended ? .info : .debug
    guard KiteLog.isSent(level) else { return }
    let name = state.item?.name ?? ""
    publisher.answer {
      if let error = state.error { return KiteLog.log(level, .engine, error) }
      KiteLog.log(level, .engine, name, "is \(state.status.rawValue) at \(state.position.seconds) s")
    }
  }

  // MARK: Threads

  /// Starts a thread that keeps the engine alive until `body` returns.
  func startThread(_ name: String, _ body: sending @escaping (Engine) -> Void) throws(MediaError) {
    change { state, _ in state.threads += 1 }
    do {
      try EngineThread.start(name: name) {
        self.change { state, _ in state.threadIDs.append(pthread_self()) }
        body(self)
        self.didEndThread(pthread_self())
      }
    } catch {
      didEndThread(nil)
      throw error
    }
  }

  private func didEndThread(_ thread: pthread_t?) {
    change { state, _ in
      state.threads -= 1
      if let thread { state.threadIDs.removeAll { pthread_equal($0, thread) != 0 } }
      state.wakes.insert(.closer)
    }
  }

  // MARK: Control

  /// Begins to open. A failure shows in the state.
  func start() {
    do {
      try startThread("kite-demux") { $0.runDemuxer() }
    } catch {
      change { state, now in state.fail(error, at: now) }
    }
  }

  /// The result of the opening, once it is known.
  func opened() async -> Result<Void, MediaError> {
    await withCheckedContinuation { continuation in
      change { state, _ in state.waiters.append(continuation) }
    }
  }

  func play() { jumpingChange { state, now in state.apply(.play, at: now) } }

  func seek(to time: MediaTime, mode: SeekMode) {
    jumpingChange { state, now in state.seek(to: time, mode: mode, at: now) }
  }

  func seek(by span: MediaTime, mode: SeekMode) {
    jumpingChange { state, now in state.seek(by: span, mode: mode, at: now) }
  }

  func step(by count: Int) { jumpingChange { state, now in state.step(by: count, at: now) } }

  func setRate(_ rate: Double) {
    change { state, now in
      guard rate != state.rate else { return }
      state.setRate(rate, at: now)
    }
  }

  func setLooping(_ isLooping: Bool) { jumpingChange { state, now in state.setLooping(isLooping, at: now) } }

  func setLoopRange(_ range: Range<MediaTime>?) {
    jumpingChange { state, now in state.setLoopRange(range, at: now) }
  }

  /// A change that may begin a new generation: what is on its way to the renderers is then no longer wanted.
  @discardableResult
  func jumpingChange<Result>(_ body: (inout EngineState, MonotonicTime) -> Result) -> Result {
    let (result, jumped) = change { state, now -> (Result, UInt64?) in
      let generation = state.generation
      let result = body(&state, now)
      return (result, state.generation == generation ? nil : state.generation)
    }
    if let jumped { line.advance(to: epoch(of: jumped)) }
    return result
  }

  func pause() { change { state, now in state.apply(.pause, at: now) } }

  /// The renderer in front changed: frames are wanted so long before their targets.
  func setLead(_ leads: RendererLine.Leads) {
    if let wish = line.memoryWish { pool.wish = wish }
    change { state, _ in
      if leads.wanted > state.leads.wanted { state.wakes.insert(.delivery) }
      state.leads = leads
    }
  }

  var position: MediaTime { monitor.withLock { $0.position(at: time.now) } }

  /// Makes everything end; what was in the queues is let go at once. Idempotent, on any thread.
  ///
  /// - Parameter waits: whether to give the threads a moment to end. Those that hang in a source are left behind.
  func close(waits: Bool) {
    for entry in monitor.withLock({ $0.entries }) { entry.cancel() }
    let isOwnThread = change { state, _ in
      state.stop()
      if state.openingResult == nil {
        state.openingResult = .failure(
          MediaError(kind: .cancelled, subject: state.subject, reason: "was closed before it was open"))
      }
      let thread = pthread_self()
      return state.threadIDs.contains { pthread_equal($0, thread) != 0 }
    }
    guard waits, !isOwnThread else { return }
    let deadline = MonotonicTime.now + patience
    monitor.run(as: .closer) { state in
      state.threads == 0 || MonotonicTime.now >= deadline ? .done(()) : .sleep(until: deadline)
    }
  }
}
