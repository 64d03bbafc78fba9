public import KiteSystem

/// The main thread's loop: one poll over connections, timers, other descriptors, and the main dispatch queue.
///
/// It keeps the main actor on the main thread: `Task { @MainActor in … }`, `await` and `DispatchQueue.main`
/// run here, between the polls. Call `run()` from the synchronous code of `main.swift`; under `async main`
/// the main actor leaves the main thread before this could hold it there. An idle loop sleeps.
///
/// A program with a loop of its own doesn't need it: see `Connection.sources`.
@MainActor
public final class MainLoop {
  private let loop = PollLoop()
  private let timers: TimerSource
  private let mainQueue = MainQueueSource()
  private var isRunning = false

  /// A loop that is not running.
  ///
  /// - Throws: `SystemError` when there is no descriptor to be had.
  public init() throws(SystemError) {
    timers = try TimerSource()
    loop.add(timers)
    loop.add(mainQueue)
  }

  /// Adds a source; it is kept until it is removed.
  public func add(_ source: any PollSource) { loop.add(source) }

  /// Removes a source; it gets no further call.
  public func remove(_ source: any PollSource) { loop.remove(source) }

  /// Adds a connection; it is served until it is removed or closed.
  public func add(_ connection: Connection) {
    connection.source.followsReaders = true
    for source in connection.sources { loop.add(source) }
  }

  /// Stops serving a connection.
  public func remove(_ connection: Connection) {
    connection.source.followsReaders = false
    for source in connection.sources { loop.remove(source) }
  }

  /// Runs until `stop()`. One that is stopped may be run again.
  public func run() {
    isRunning = true
    while isRunning { loop.turn() }
  }

  /// Lets `run()` return after this turn. From another thread: `Task { @MainActor in loop.stop() }`.
  public func stop() { isRunning = false }

  /// One turn: waits at most `timeout` nanoseconds (negative: for ever) for something to do, and does it. For
  /// tests, and for programs that have other work between the turns.
  public func turn(timeout: Int64) { loop.turn(timeout: timeout) }

  /// Calls `action` once, `nanoseconds` from now.
  @discardableResult
  public func after(_ nanoseconds: Int64, _ action: @escaping @MainActor () -> Void) -> TimerSource.Token {
    timers.set(at: .now + nanoseconds) { MainActor.assumeIsolated(action) }
  }

  /// Forgets a timer; one that has fired or was cancelled is no matter.
  public func cancel(_ timer: TimerSource.Token) { timers.cancel(timer) }
}
