import KiteCore

/// The effects of a view's `DisplayHold`: inhibitors, the shared mechanism, the time of a grace.
@MainActor
final class ViewDisplayHold {
  /// Where the view is; another one only while nothing is held.
  var host: any ViewHost
  private var machine = DisplayHold()
  private var grip: DisplayHoldGrip?
  private var graceTimer: Task<Void, Never>?
  /// Waits for as long as a gap may be. Tests have their own.
  var waitForGrace: @Sendable () async throws -> Void = { try await Task.sleep(for: DisplayHold.grace) }

  init(host: any ViewHost) {
    self.host = host
    PlayerViewDefaults.mechanismObservers[ObjectIdentifier(self)] = { [weak self] in self?.handle(.moved) }
  }

  /// Whether the display is kept awake, as far as it can be.
  var isHeld: Bool { machine.isHeld }

  /// The view is closed: nothing is held any longer.
  func close() {
    PlayerViewDefaults.mechanismObservers[ObjectIdentifier(self)] = nil
    handle(.shown(false))
  }

  func handle(_ event: DisplayHold.Event) {
    for action in machine.event(event) { perform(action) }
  }

  private func perform(_ action: DisplayHold.Action) {
    switch action {
    case .acquire:
      grip = DisplayHoldGrip.take(host.connection, host.videoSurface)
    case .release:
      grip?.letGo()
      grip = nil
    case .startGrace:
      graceTimer = Task { [weak self, waitForGrace] in
        guard (try? await waitForGrace()) != nil, !Task.isCancelled else { return }
        self?.handle(.graceOver)
      }
    case .cancelGrace:
      graceTimer?.cancel()
      graceTimer = nil
    }
  }
}
