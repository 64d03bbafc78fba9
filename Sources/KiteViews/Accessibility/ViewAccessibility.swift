import KiteCore
import KiteSystem

/// What a view says of itself to assistive technology, and when.
@MainActor
final class ViewAccessibility {
  /// What the words are; see the view's members.
  struct Words: Hashable {
    var label = "Video"
    var positionLabel = "Position"
    var actionLabel = "Play or pause"
  }

  var host: any ViewHost
  var words = Words() {
    didSet { if words != oldValue { publish() } }
  }
  var format: (PlaybackStatus, MediaTime, MediaTime?) -> String = { status, position, duration in
    KitePlayerView.accessibilityStateText(status, position, duration)
  }
  {
    didSet {
      refreshText()
      publish()
    }
  }
  private(set) var stateText: String

  private var player: (any Player)?
  private var status: PlaybackStatus?
  private var duration: MediaTime?
  private var positions = PositionJumps()
  private var jumps = 0
  private var isSeeking = false
  private var isSeekable = false
  /// Nothing is said before the first picture, which has the right of way, unless there is none for a while.
  private var isStarted = false
  private var isMapped = false
  private var isClosed = false
  private var starting: Task<Void, Never>?
  /// Waits for as long as the first picture may take. Tests have their own.
  var waitForPicture: @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(1)) }
  /// What the bridge knows of: to be withdrawn.
  private weak var bridge: (any AccessibilityBridge)?

  init(host: any ViewHost) {
    self.host = host
    stateText = KitePlayerView.accessibilityStateText(.idle, .zero, nil)
    PlayerViewDefaults.bridgeObservers[ObjectIdentifier(self)] = { [weak self] in self?.publish() }
  }

  // MARK: What happens to the view

  /// A picture is on the screen: from now on the view is there for everybody.
  func pictureShown() { start() }

  func mapped() {
    isMapped = true
    publish()
    guard !isStarted, starting == nil else { return }
    starting = Task { [weak self, waitForPicture] in
      guard (try? await waitForPicture()) != nil, !Task.isCancelled else { return }
      self?.start()
    }
  }

  func unmapped() {
    isMapped = false
    publish()
  }

  /// Size, visibility, or what is known of the window.
  func hostChanged() { publish() }

  func close() {
    isClosed = true
    starting?.cancel()
    player = nil
    PlayerViewDefaults.bridgeObservers[ObjectIdentifier(self)] = nil
    bridge?.withdraw(ObjectIdentifier(self))
    bridge = nil
  }

  /// The player is another one.
  func playerChanged(_ player: (any Player)?) {
    guard player !== self.player else { return }
    self.player = player
    positions.reset()
    isSeeking = false
  }

  /// The player's state is another one, or there is no player.
  func playerDid(_ state: PlayerState?) {
    let isNews = state?.status != status || state?.duration != duration
    if state?.status == .opening || state == nil { positions.reset() }
    notePosition(state)
    status = state?.status
    duration = state?.duration
    isSeekable = state?.isSeekable ?? false
    if isNews { refreshText() }
    publish()
  }

  /// Reads everything anew.
  func update() {
    guard !isClosed else { return }
    let state = player?.state
    status = state?.status
    duration = state?.duration
    isSeekable = state?.isSeekable ?? false
    notePosition(state)
    refreshText()
    publish()
  }

  private func notePosition(_ state: PlayerState?) {
    guard let player, let state else { return }
    let isTicking = state.status == .playing || state.status == .buffering
    // A seek is told when it is done, once, however far it went; many in a row are one.
    isSeeking = isSeeking || state.isSeeking
    guard !state.isSeeking else { return }
    let hasJumped = positions.note(player.position, isTicking: isTicking, rate: state.rate, at: .now)
    guard hasJumped || isSeeking else { return }
    isSeeking = false
    jumps += 1
    refreshText()
  }

  private func refreshText() {
    stateText = format(status ?? .idle, player?.position ?? .zero, duration)
  }

  // MARK: What is said

  private func start() {
    guard !isStarted, !isClosed else { return }
    isStarted = true
    publish()
  }

  private func publish() {
    guard isStarted, !isClosed else { return }
    let current = PlayerViewDefaults.accessibilityBridge
    if bridge !== current { bridge?.withdraw(ObjectIdentifier(self)) }
    bridge = current
    current?.publish(description, of: ObjectIdentifier(self))
  }

  private var description: AccessibleView {
    var view = AccessibleView(frame: host.accessibleFrame)
    view.window = host.accessibleWindow
    view.isShown = isMapped && host.geometry.isVisible
    view.label = words.label
    view.positionLabel = words.positionLabel
    view.actionLabel = words.actionLabel
    view.stateText = stateText
    view.status = status
    view.duration = duration
    view.jumps = jumps
    view.controls = player.map { Self.controls(of: $0, isSeekable: isSeekable) }
    return view
  }

  /// The bridge must not keep a player that its view has let go of.
  private static func controls(of player: any Player, isSeekable: Bool) -> AccessibleView.Controls {
    let seek: @Sendable (MediaTime) -> Void = { [weak player] time in player?.seek(to: time, mode: .precise) }
    return AccessibleView.Controls(
      position: { [weak player] in player?.position ?? .zero },
      toggle: { [weak player] in
        guard let player else { return }
        switch player.state.status {
        case .playing, .buffering: player.pause()
        case .idle, .opening, .paused, .ended, .failed: player.play()
        }
      },
      seek: isSeekable ? seek : nil)
  }
}
