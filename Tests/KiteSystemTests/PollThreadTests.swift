import Glibc
import KiteSystem
import Testing

/// Lives on a poll thread.
private actor Worker {
  private let thread: PollThread
  private var count = 0
  private var ticker: Ticker?

  init(_ thread: PollThread) { self.thread = thread }

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  func add() -> Int {
    count += 1
    return count
  }

  func threadName() -> String {
    guard let file = fopen("/proc/thread-self/comm", "r") else { return "" }
    defer { fclose(file) }
    var line = [UInt8](repeating: 0, count: 64)
    let count = fread(&line, 1, line.count, file)
    return String(decoding: line.prefix(count).prefix { $0 != 10 }, as: UTF8.self)
  }

  func hasLoop() -> Bool { PollThread.currentLoop != nil }

  func tick(_ continuation: AsyncStream<pthread_t>.Continuation) throws {
    let ticker = try Ticker(continuation)
    PollThread.currentLoop?.add(ticker)
    self.ticker = ticker
  }

  func stopTicking() {
    if let ticker { PollThread.currentLoop?.remove(ticker) }
    ticker = nil
  }

  func leaveASource() -> Leftover { Leftover(PollThread.currentLoop) }

  func thisThread() -> pthread_t { pthread_self() }
}

/// Ticks every millisecond, three times.
private final class Ticker: PollSource {
  private let timer: TimerDescriptor
  private let continuation: AsyncStream<pthread_t>.Continuation
  private var count = 0

  init(_ continuation: AsyncStream<pthread_t>.Continuation) throws {
    timer = try TimerDescriptor()
    self.continuation = continuation
    timer.arm(at: .now)
  }

  var descriptor: Int32 { timer.descriptor }
  func prepare() -> PollEvents { .read }
  func process(_ events: PollEvents) {
    guard events.contains(.read) else { return }
    timer.acknowledge()
    count += 1
    continuation.yield(pthread_self())
    if count < 3 { timer.arm(at: .now + 1_000_000) } else { continuation.finish() }
  }
}

@Suite struct PollThreadTests {
  @Test func anActorsCodeRunsOnTheThread() async throws {
    let thread = try PollThread(name: "kite-test-poll")
    defer { thread.stop() }
    let worker = Worker(thread)
    #expect(await worker.threadName() == "kite-test-poll")
    #expect(await worker.hasLoop())
    #expect(PollThread.currentLoop == nil)
  }

  @Test func jobsFromManyTasksRunOneAtATime() async throws {
    let thread = try PollThread(name: "kite-test-jobs")
    defer { thread.stop() }
    let worker = Worker(thread)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { for _ in 0..<100 { _ = await worker.add() } } }
    }
    #expect(await worker.add() == 801)
  }

  @Test func sourcesAddedByTheActorCallBackOnTheThread() async throws {
    let thread = try PollThread(name: "kite-test-tick")
    defer { thread.stop() }
    let worker = Worker(thread)
    let (stream, continuation) = AsyncStream.makeStream(of: pthread_t.self)
    try await worker.tick(continuation)
    var threads: [pthread_t] = []
    for await thread in stream { threads.append(thread) }
    await worker.stopTicking()
    let own = await worker.thisThread()
    #expect(threads.count == 3)
    #expect(threads.allSatisfy { pthread_equal($0, own) != 0 })
  }

  @Test func stoppingEndsTheThreadAfterTheJobsBeforeIt() async throws {
    weak var weakThread: PollThread?
    do {
      let thread = try PollThread(name: "kite-test-stop")
      weakThread = thread
      let worker = Worker(thread)
      #expect(await worker.add() == 1)
      thread.stop()
      thread.wake()
    }
    // The thread held the last reference.
    for _ in 0..<5000 where weakThread != nil { try await Task.sleep(for: .milliseconds(1)) }
    #expect(weakThread == nil)
  }

  @Test func aThreadThatEndsLetsGoOfItsSources() async throws {
    let thread = try PollThread(name: "test-leftover")
    let worker = Worker(thread)
    weak let leftover = await worker.leaveASource()
    thread.stop()
    let deadline = ContinuousClock.now + .seconds(20)
    while leftover != nil, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(1)) }
    #expect(leftover == nil)
  }
}

/// Refers to its loop, as sources do that come and go by themselves.
private final class Leftover: PollSource, @unchecked Sendable {
  // Made and used on its loop's thread alone; the test only looks whether it is there.
  private let loop: PollLoop?

  init(_ loop: PollLoop?) {
    self.loop = loop
    loop?.add(self)
  }

  var descriptor: Int32 { -1 }
  func prepare() -> PollEvents { .read }
  func process(_ events: PollEvents) {}
}
