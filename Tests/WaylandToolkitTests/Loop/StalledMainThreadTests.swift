import Foundation
import KiteSystem
import Synchronization
import TestCompositor
import Testing
import Wayland

@testable import WaylandToolkit

@MainActor
@Suite struct StalledMainThreadTests {
  /// Commits one frame after the other, on a thread and a queue of its own.
  private final class Presenter: Sendable {
    private let progress = Mutex((frames: 0, isStopped: false))

    var frames: Int { progress.withLock { $0.frames } }
    func stop() { progress.withLock { $0.isStopped = true } }

    func start(_ shared: SharedConnection) {
      Thread.detachNewThread { [self] in
        guard let queue = try? shared.display.makeQueue() else { return }
        let compositor = shared.globals.bind(
          WlCompositor.self, versions: 1...6, through: queue.display.getRegistry())
        if let surface = compositor?.createSurface() { commit(surface) }
        let loop = PollLoop()
        loop.add(QueueSource(queue))
        while !progress.withLock({ $0.isStopped }) { loop.turn(timeout: 5_000_000) }
        queue.close()
      }
    }

    private func commit(_ surface: WlSurface) {
      surface.frame().onEvent = { [weak self] _ in
        self?.progress.withLock { $0.frames += 1 }
        self?.commit(surface)
      }
      surface.commit()
    }
  }

  /// Work of the main thread that takes long: it goes on until frames have come meanwhile, or gives up.
  private final class LongWork: PollSource {
    let descriptor: Int32 = -1
    let work: () -> Void
    init(_ work: @escaping () -> Void) { self.work = work }
    func prepare() -> PollEvents { [] }
    func process(_ events: PollEvents) { work() }
  }

  @Test func framesGoOnWhileTheMainThreadIsBusy() throws {
    let stage = try Stage()
    let presenter = Presenter()
    let loop = PollLoop()
    var seen: [Int] = []
    loop.add(
      LongWork {
        let first = presenter.frames
        let deadline = MonotonicTime.now + 5_000_000_000
        while presenter.frames < first + 20, .now < deadline { stage.server.dispatch(milliseconds: 1) }
        seen.append(presenter.frames - first)
      })
    // After the work, as `MainLoop` has it: what matters is that the socket's source is urgent.
    for source in stage.connection.sources { loop.add(source) }
    presenter.start(stage.connection.shared)
    for _ in 0..<5 { loop.turn(timeout: 1_000_000) }
    presenter.stop()
    #expect(seen.count == 5)
    #expect(seen.allSatisfy { $0 >= 20 }, "\(seen)")
    #expect(stage.errors == [])
  }
}
