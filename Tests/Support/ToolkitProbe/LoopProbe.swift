import CLinux
import Dispatch
import Glibc
import WaylandToolkit

/// Prints which thread code of the main actor runs on, however it gets there.
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
        let fromElsewhere = Task.detached { await hop() }
        await fromElsewhere.value
        report("after detached")
        DispatchQueue.main.async { MainActor.assumeIsolated { report("dispatch") } }
        loop.after(20_000_000) {
          report("timer")
          loop.stop()
        }
      }
      loop.run()
      report("end")
      // An idle loop: how much CPU half a second of nothing costs.
      let before = clock()
      loop.after(500_000_000) { loop.stop() }
      loop.run()
      print("idle \(clock() - before)")
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
