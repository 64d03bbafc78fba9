import CLinux
import Glibc

/// A thread that runs a `PollLoop` and, as a `SerialExecutor`, the jobs of the actors that live on it.
///
/// An actor names it as its `unownedExecutor`; its code then runs between the polls of this thread, and the sources it
/// adds from there call back on the same thread. The thread ends after `stop()` once the jobs enqueued before it have
/// run.
public final class PollThread: SerialExecutor {
  private let wakeUp: EventDescriptor
  private let inbox = Locked(Inbox())

  private struct Inbox {
    var jobs: [UnownedJob] = []
    var isStopping = false
    var thread: pthread_t?
  }

  /// The loop of the thread that asks, when that thread is a `PollThread`'s.
  ///
  /// - Returns: nil on every other thread.
  public static var currentLoop: PollLoop? {
    guard let raw = pthread_getspecific(loopKey) else { return nil }
    return Unmanaged<PollLoop>.fromOpaque(raw).takeUnretainedValue()
  }

  private static let loopKey: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// Starts the thread; `name` (at most 15 bytes) shows in debuggers and `top -H`.
  ///
  /// - Throws: `SystemError` when there is no descriptor or no thread to be had.
  public init(name: String) throws(SystemError) {
    wakeUp = try EventDescriptor()
    // The thread keeps the executor alive until it ends.
    let start = Start(executor: self, name: name)
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { @Sendable raw in
        guard let raw else { return nil }
        let start = Unmanaged<Start>.fromOpaque(raw).takeRetainedValue()
        kite_name_thread(start.name)
        start.executor.run()
        return nil
      }, Unmanaged.passRetained(start).toOpaque())
    guard code == 0 else {
      Unmanaged.passUnretained(start).release()
      throw SystemError(call: "pthread_create", subject: "starting thread \(name)", code: code)
    }
    pthread_detach(thread)
  }

  private final class Start {
    let executor: PollThread
    let name: String
    init(executor: PollThread, name: String) {
      self.executor = executor
      self.name = name
    }
  }

  /// Runs `job` on the thread, after those enqueued before it.
  public func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    inbox.withLock { $0.jobs.append(unowned) }
    wakeUp.signal()
  }

  /// Ends the thread once the jobs enqueued so far have run. Jobs enqueued later run never: stop last.
  public func stop() {
    inbox.withLock { $0.isStopping = true }
    wakeUp.signal()
  }

  /// Wakes the loop, so that its sources are prepared anew. Any thread; never blocks.
  public func wake() {
    wakeUp.signal()
  }

  private func run() {
    let loop = PollLoop()
    pthread_setspecific(Self.loopKey, Unmanaged.passUnretained(loop).toOpaque())
    let source = JobSource(executor: self)
    loop.add(source)
    while true {
      let (jobs, isStopping) = inbox.withLock { inbox in
        defer { inbox.jobs.removeAll(keepingCapacity: true) }
        return (inbox.jobs, inbox.isStopping)
      }
      for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
      if jobs.isEmpty, isStopping { break }
      // A job that came meanwhile has signalled the eventfd, so that this returns at once.
      loop.turn()
    }
    loop.removeAll()
    pthread_setspecific(Self.loopKey, nil)
  }

  /// The eventfd as a source of the loop; the jobs themselves run between the turns.
  private final class JobSource: PollSource {
    unowned let executor: PollThread
    init(executor: PollThread) { self.executor = executor }
    var descriptor: Int32 { executor.wakeUp.descriptor }
    func prepare() -> PollEvents { .read }
    func process(_ events: PollEvents) {
      if events.contains(.read) { executor.wakeUp.acknowledge() }
    }
  }
}
