internal import KiteSystem

/// What a test has the compositor do. Everything is sent before the call returns.
extension ScriptedCompositor {
  // MARK: Windows

  /// Changes what windows are told and sends a configure: all windows, or the one whose surface has this number.
  public func configure(window number: Int? = nil, _ change: (inout WindowConfiguration) -> Void) {
    script { core in
      for window in core.windows where number == nil || window.surface.number == number {
        window.change(change)
      }
    }
  }

  /// Gives windows a size, in logical pixels.
  public func resizeWindows(width: Int, height: Int) {
    configure {
      $0.width = width
      $0.height = height
    }
  }

  /// Hides windows, or shows them again. Clients of version 6 are told.
  public func setSuspended(_ isSuspended: Bool) {
    configure { if isSuspended { $0.states.insert(.suspended) } else { $0.states.remove(.suspended) } }
  }

  /// Asks windows to close.
  public func sendClose() {
    script { core in for window in core.windows { window.sendClose() } }
  }

  /// Asks clients whether they are there.
  public func ping() { script { $0.ping() } }

  // MARK: Screens

  /// Physical pixels per logical pixel in 120ths; clients are told.
  public func setScale(_ scale120: Int) { script { $0.setScale(scale120) } }

  /// Plugs a monitor in.
  public func addOutput(_ output: OutputDescription) throws { try script { try $0.addOutput(output) } }

  /// Unplugs a monitor.
  public func removeOutput(named name: String) { script { $0.removeOutput(named: name) } }

  // MARK: Answers

  /// While true frame callbacks are kept; those that are kept are answered at the first vblank after.
  public var withholdsFrameCallbacks: Bool {
    get { look(\.withholdsFrameCallbacks) }
    set { script { $0.withholdsFrameCallbacks = newValue } }
  }

  /// While false commits with a barrier or a time to wait for are never taken: they are passed over by those without.
  public var latchesQueuedCommits: Bool {
    get { look(\.latchesQueuedCommits) }
    set { script { $0.latchesQueuedCommits = newValue } }
  }

  /// When buffers are given back. Those that were withheld go back with the first vblank after a change.
  public var releases: ReleasePolicy {
    get { look(\.releases) }
    set { script { $0.releases = newValue } }
  }

  /// Gives back every buffer that nothing shows any more: the one that was let go of first comes first, or last.
  public func releaseBuffers(reversed: Bool = false) {
    script { core in
      if reversed { core.unreleased.reverse() }
      core.releaseUnheld()
    }
  }

  /// What becomes of feedback from now on.
  public var feedback: FeedbackPolicy {
    get { look(\.feedbackPolicy) }
    set { script { $0.feedbackPolicy = newValue } }
  }

  /// Answers feedback that was withheld: in the order of the commits, or turned around.
  public func answerFeedback(reversed: Bool = false) { script { $0.answerFeedback(reversed: reversed) } }

  // MARK: Disasters

  /// Ends the client of a surface with a protocol error on that surface.
  public func postError(onSurface number: Int, code: UInt32, _ message: String) {
    script { core in
      core.surfaces.first { $0.number == number }?.resource.postError(code: code, message)
    }
  }

  /// Ends the client of the first window with a protocol error on its `xdg_surface`.
  public func postErrorOnWindow(code: UInt32, _ message: String) {
    script { $0.windows.first?.resource.postError(code: code, message) }
  }

  /// Closes the sockets without a word, as a compositor that crashed.
  public func dropClients() { script { $0.shutDown() } }

  // MARK: Waiting

  /// Waits until `condition` holds, serving clients meanwhile. Returns whether it came to hold within `seconds`.
  ///
  /// For stepped clients there is nothing to wait for: they have to take their own turns.
  public func wait(seconds: Double = 10, until condition: (ScriptedCompositor) -> Bool) -> Bool {
    let deadline = MonotonicTime.now + Int64(seconds * 1_000_000_000)
    while !condition(self) {
      guard .now < deadline else { return false }
      step(milliseconds: 1)
      pause(milliseconds: 1)
    }
    return true
  }
}
