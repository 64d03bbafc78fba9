import CLinux
import Dispatch
import Glibc
import KiteSystem
import WaylandToolkit

/// Prints which thread code of the main actor runs on, however it gets there, and how often an idle loop
/// turns.
@MainActor
enum LoopProbe {
  static func run() {
    do {
      let loop = try MainLoop()
      report("start")
      Task { @MainActor in
        report("task")
        try? await Task.sleep(for: .milliseconds(5))
        report("after sleep")
        await Task.detached { await hop() }.value
        report("after detached")
        DispatchQueue.main.async { MainActor.assumeIsolated { report("dispatch") } }
        loop.after(20_000_000) {
          report("timer")
          loop.stop()
        }
      }
      loop.run()
      report("end")
      let counter = TurnCounter()
      loop.add(counter)
      loop.after(300_000_000) { loop.stop() }
      loop.run()
      print("idle turns \(counter.turns)")
    } catch { print("error \(error)") }
  }

  private nonisolated static func hop() async {
    print("detached \(kite_gettid() == getpid() ? "main" : "other")")
    await report("hop")
  }

  private static func report(_ step: String) {
    print("\(step) \(kite_gettid() == getpid() ? "main" : "other")")
  }
}

/// Counts the turns of the loop that it is in, and waits for nothing.
private final class TurnCounter: PollSource {
  private(set) var turns = 0
  let descriptor: Int32 = -1
  func prepare() -> PollEvents {
    turns += 1
    return []
  }
  func process(_ events: PollEvents) {}
}
