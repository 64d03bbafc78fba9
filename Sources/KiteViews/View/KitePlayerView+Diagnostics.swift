extension KitePlayerView {
  /// Which path the pictures take to the screen, and why no better one. Any time; without a picture the reason says what
  /// is missing.
  public var diagnostics: RendererDiagnostics {
    guard let generation = pairing.lifecycle.attachedGeneration,
      let renderer = pairing.generations[generation]?.renderer.renderer
    else {
      return RendererDiagnostics(reason: pairing.problem.isEmpty ? waitingReason : pairing.problem)
    }
    var diagnostics = renderer.diagnostics
    var reasons: [String] = []
    if isDisplaced {
      reasons.append(
        "Another view shows this player: this one keeps its last picture until that view lets go of the player."
      )
    }
    if !pairing.failure.isEmpty { reasons.append("A better path failed: \(pairing.failure)") }
    if !diagnostics.reason.isEmpty { reasons.append(diagnostics.reason) }
    diagnostics.reason = reasons.joined(separator: " ")
    return diagnostics
  }

  private var waitingReason: String {
    if isClosed { return "The view is closed." }
    if player == nil { return "The view has no player." }
    if !pairing.isMapped { return "The view is not in a window that is shown." }
    return "No renderer factory is installed: building a KitePlayer installs one."
  }
}
