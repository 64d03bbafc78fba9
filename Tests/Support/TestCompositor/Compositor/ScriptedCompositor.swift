public import KiteSystem

/// A Wayland compositor inside the test's process, that does what the test says.
///
/// It keeps the protocols' rules as strictly as real ones do, answers with their errors, writes down what clients say,
/// and shows to the test what would be on the screen. It is either stepped by hand or runs on a thread of its own:
///
/// ```swift
/// let compositor = try ScriptedCompositor(.standard)
/// try compositor.start()                                     // or: step() whenever it is its turn
/// let connection = try Connection.connect(descriptor: compositor.connect())
/// …
/// compositor.vblank()                                        // or: startVblanks(hertz: 60)
/// #expect(compositor.violations.isEmpty)
/// ```
///
/// Every member may be used on any thread, also while the compositor's own thread runs.
public final class ScriptedCompositor: @unchecked Sendable {
  // @unchecked: everything mutable is only touched under the machine's lock.
  private let machine: CompositorMachine
  private var thread: CompositorThread?
  var core: CompositorCore { machine.core }
  var lock: RecursiveLock { machine.lock }

  /// A compositor that offers what `configuration` says.
  public init(_ configuration: CompositorConfiguration = .standard) throws {
    machine = try CompositorMachine(configuration)
  }

  deinit {
    stop()
    core.shutDown()
  }

  /// Connects a client. The descriptor is the client's end of the socket; give it to a connection, which closes it.
  public func connect() throws -> Int32 {
    try lock.withLock { () throws -> Int32 in try core.display.connectClient().descriptor }
  }

  // MARK: Running

  /// Serves clients from a thread, until `stop()`.
  public func start() throws {
    try lock.withLock { () throws -> Void in
      guard thread == nil else { return }
      // Not this object, whose last reference would then end on the thread that it waits for.
      thread = try CompositorThread { [machine] in machine.turn() }
    }
  }

  /// Ends the thread; what was configured stays. Idempotent.
  public func stop() {
    // Not under the lock, which the thread may be waiting for.
    let ended = lock.withLock { () -> CompositorThread? in
      defer { thread = nil }
      return thread
    }
    ended?.stop()
  }

  /// Handles what clients have sent and sends what waits for them; waits up to `milliseconds` for something to do.
  public func step(milliseconds: Int32 = 0) {
    lock.withLock { if !machine.isStalled { core.display.dispatch(milliseconds: milliseconds) } }
  }

  /// While true the compositor reads nothing and answers nothing, as one that hangs.
  public var isStalled: Bool {
    get { lock.withLock { machine.isStalled } }
    set {
      let thread = lock.withLock { () -> CompositorThread? in
        machine.isStalled = newValue
        return self.thread
      }
      thread?.wake()
    }
  }

  /// Refreshes the screen once.
  public func vblank(at time: MonotonicTime = .now) {
    script { $0.vblank(at: time) }
  }

  /// Refreshes the screen by itself; takes a running thread.
  public func startVblanks(hertz: Double = 60) {
    let thread = lock.withLock { () -> CompositorThread? in
      machine.vblankInterval = Int64(1_000_000_000 / hertz)
      machine.nextVblank = .now
      return self.thread
    }
    thread?.wake()
  }

  /// Refreshes only when told.
  public func stopVblanks() {
    lock.withLock {
      machine.vblankInterval = nil
      machine.nextVblank = .distantFuture
    }
  }

  /// Changes something, and sends what follows from it.
  func script<Result>(_ body: (CompositorCore) throws -> Result) rethrows -> Result {
    try lock.withLock { () throws -> Result in
      // What the client has sent before comes before.
      if !machine.isStalled { core.display.dispatch() }
      defer { if !machine.isStalled { core.display.dispatch() } }
      return try body(core)
    }
  }

  /// Looks at something.
  func look<Result>(_ body: (CompositorCore) -> Result) -> Result {
    lock.withLock { body(core) }
  }
}
