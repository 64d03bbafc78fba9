import Glibc
import Synchronization
import TestCompositor
import Testing
import Wayland

/// Two threads that share a connection, each with a queue of its own, while a third plays the compositor.
@Suite struct ThreadTests {
  /// Answers every frame callback at once, until told to stop.
  private final class Compositor: @unchecked Sendable {
    // @unchecked: `server` is used by `run()`'s thread alone once that runs; the rest is atomic or locked.
    private let server: ServerDisplay
    let descriptor: Int32
    private let isStopped = Atomic(false)
    let frames = Atomic(0)

    init() throws {
      server = try ServerDisplay()
      descriptor = try server.connectClient().descriptor
      try server.addGlobal(WlCompositorResource.self, version: 6) { [unowned self] compositor in
        compositor.onRequest = { [unowned self] in
          guard case .createSurface(let surface) = $0 else { return }
          surface.onRequest = { [unowned self] in
            guard case .frame(let callback) = $0 else { return }
            frames.add(1, ordering: .relaxed)
            callback.sendDone(7)
          }
        }
      }
    }

    func run() {
      while !isStopped.load(ordering: .acquiring) { server.dispatch(milliseconds: 5) }
    }

    func stop() { isStopped.store(true, ordering: .releasing) }
  }

  /// Commits frames on a queue of its own until it has heard back from `count` of them.
  private static func present(
    _ handle: ProxyHandle<WlSurface>, on connection: Display, count: Int
  ) throws(WaylandError) -> Int {
    let queue = try connection.makeQueue()
    defer { queue.close() }
    let surface = queue.wrap(handle)
    var done = 0
    for expected in 1...count {
      surface.frame().onEvent = { _ in done += 1 }
      surface.commit()
      while done < expected {
        guard try queue.dispatch(timeout: .seconds(10)) > 0 else { throw .timedOut(.seconds(10)) }
      }
    }
    return done
  }

  /// Threads that read and dispatch all the time, while the compositor ends the connection with an error.
  @Test func noThreadTakesAProtocolErrorForALostConnection() throws {
    for _ in 0..<40 {
      let kept = Kept()
      let pair = try Pair(kept.offer)
      let surface = try pair.bind(WlCompositor.self).createSurface()
      try pair.settle()
      let connection = pair.connection
      let errors = Mutex<[WaylandError?]>([])
      let started = Atomic(0)
      let threads = (0..<4).map { _ in
        Thread {
          let error = ThreadTests.readUntilError(connection) {
            started.add(1, ordering: .acquiringAndReleasing)
          }
          errors.withLock { $0.append(error) }
        }
      }
      while started.load(ordering: .acquiring) < threads.count { sched_yield() }
      kept.surfaces[0].postError(code: 2, "size 6 is odd")
      pair.server.dispatch()
      pair.peer.disconnect()
      for thread in threads { thread.join() }
      let expected = WaylandError.protocolError(
        ProtocolError(interface: "wl_surface", object: surface.id, code: 2, message: "size 6 is odd"))
      #expect(errors.withLock { $0 } == Array(repeating: expected, count: threads.count))
    }
  }

  private static func readUntilError(_ connection: Display, started: () -> Void) -> WaylandError? {
    do throws(WaylandError) {
      let queue = try connection.makeQueue()
      defer { queue.close() }
      started()
      let deadline = ContinuousClock.now + .seconds(30)
      while ContinuousClock.now < deadline { try queue.dispatch(timeout: .seconds(1)) }
      return nil
    } catch {
      return error
    }
  }

  @Test func eachThreadHearsItsOwnEventsAndNoneIsLost() throws {
    let compositor = try Compositor()
    let server = Thread { compositor.run() }
    defer {
      compositor.stop()
      server.join()
    }
    let connection = try Display.connect(descriptor: compositor.descriptor)
    let queue = try connection.makeQueue()
    defer { queue.close() }
    let registry = Registry(queue)
    try queue.roundtrip(timeout: .seconds(10))
    let surface = try #require(registry.bind(WlCompositor.self, versions: 1...6)).createSurface()
    let handle = try #require(surface.handle)

    let heard = Mutex<Int?>(nil)
    let presenter = Thread {
      heard.withLock { $0 = try? ThreadTests.present(handle, on: connection, count: 300) }
    }
    var own = 0
    for expected in 1...300 {
      surface.frame().onEvent = { _ in own += 1 }
      while own < expected {
        guard try queue.dispatch(timeout: .seconds(10)) > 0 else { break }
      }
    }
    presenter.join()
    #expect(own == 300)
    #expect(heard.withLock { $0 } == 300)
    #expect(compositor.frames.load(ordering: .relaxed) == 600)
  }
}

/// Carries a closure through C.
private final class Box {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// A thread of its own, which a blocking loop needs.
private final class Thread: @unchecked Sendable {
  // @unchecked: `handle` is written once, in `init`.
  private var handle: pthread_t = 0

  init(_ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(Box(body)).toOpaque()
    pthread_create(
      &handle, nil,
      { argument in
        if let argument { Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
      }, box)
  }

  func join() { pthread_join(handle, nil) }
}
