import KiteSystem

// The renderers that a player gives its pictures to.
extension KitePlayer {
  /// The current picture, as for a screenshot; nil before the first one of what is open. Holds one of the decoder's
  /// memories as long as it lives: keep it short.
  public func currentFrame() -> VideoFrame? { line.currentFrame() }

  /// Makes `renderer` the one that gets the pictures, and gives it the current picture at once, also while paused.
  ///
  /// The newest wins; those before it wait in line. In front already: nothing. The player keeps it until `detach`.
  public func attach(_ renderer: any VideoRenderer) {
    let lead = line.attach(renderer, at: time.now)
    engine?.setLead(lead)
  }

  /// Takes `renderer`, and no other, out of the line: on return the player no longer calls it. Unknown ones: nothing.
  public func detach(_ renderer: any VideoRenderer) {
    let lead = line.detach(renderer, at: time.now)
    engine?.setLead(lead)
  }
}
