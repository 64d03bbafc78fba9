import Dispatch
import Glibc

/// Interrupt and termination as an orderly end, so that statistics are still printed.
@MainActor
final class QuitSignals {
  private var sources: [any DispatchSourceSignal] = []

  /// Calls `action` on the main actor when one of the signals comes.
  init(_ action: @escaping @MainActor () -> Void) {
    for number in [SIGINT, SIGTERM] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
      source.setEventHandler { MainActor.assumeIsolated { action() } }
      source.activate()
      sources.append(source)
    }
  }

  /// The signals do again what they do by default.
  func cancel() {
    for source in sources { source.cancel() }
    for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
  }
}
