import Kite

/// What `--stats` prints: the ledger, and the path of the frames.
struct Statistics: CustomStringConvertible {
  let counts: FrameLedger.Counts
  let diagnostics: RendererDiagnostics
  let playback: PlaybackStatistics

  @MainActor init(view: KitePlayerView, player: KitePlayer) {
    counts = view.frameCounts
    diagnostics = view.diagnostics
    playback = player.statistics
  }

  var description: String {
    var lines = [
      "frames: \(counts.presented) presented, \(counts.superseded) superseded, \(counts.failed) failed, "
        + "\(counts.inFlight) in flight, of \(counts.accepted) accepted",
      "decoder: \(playback.decodedFrames) decoded, \(playback.droppedFrames) dropped before the view, "
        + "\(playback.decodeWarnings) damaged packets",
      "path: \(diagnostics.path.rawValue)\(format)\(diagnostics.isCopied ? ", copied once" : "")"
        + (diagnostics.isZeroCopy ? ", zero-copy on the output" : "")
        + (diagnostics.isColorTold ? ", its colours told" : "")
        + (diagnostics.isExplicitlySynchronized ? ", synchronized by timelines" : ""),
      "zero-copy: \(diagnostics.zeroCopyFrames) frames",
    ]
    let decoder = playback.decoder
    if !decoder.hardware.isEmpty { lines.append("decoded by: \(decoder.hardware)") }
    if !decoder.reason.isEmpty { lines.append("why no hardware decoding: \(decoder.reason)") }
    let vblanks = diagnostics.vblanks
    lines.append(
      "pacing: \(diagnostics.pacing.rawValue); \(vblanks.onTime) frames at their vblank, \(vblanks.oneLate) one late, "
        + "\(vblanks.moreLate) later, \(vblanks.early) early")
    let pace = diagnostics.pace
    if pace.medianLatency > 0 {
      let aimed = vblanks.onTime + vblanks.oneLate + vblanks.moreLate + vblanks.early
      let share = aimed > 0 ? "\(Self.tenths(of: Double(vblanks.onTime) / Double(aimed) * 100)) %" : "none"
      lines.append(
        "pace: \(share) at their vblank, \(pace.repeatedVblanks) vblanks repeated, "
          + "\(counts.superseded + playback.droppedFrames) frames dropped; "
          + "commit to screen \(Self.tenths(of: Double(pace.medianLatency) / 1e6)) ms, "
          + "99 % within \(Self.tenths(of: Double(pace.longLatency) / 1e6)) ms; jitter \(pace.jitter / 1000) µs"
          + (pace.cadence.isEmpty ? "" : "; cadence \(pace.cadence)")
          + (pace.isCountedByOutput ? ", counted by the output" : ""))
    }
    if let refresh = diagnostics.refresh {
      let hertz = (1e12 / Double(refresh)).rounded() / 1000
      lines.append("refresh: \(hertz) Hz")
    }
    if !diagnostics.synchronizationProblem.isEmpty {
      lines.append("why no timelines: \(diagnostics.synchronizationProblem)")
    }
    if !diagnostics.reason.isEmpty { lines.append("why no better path: \(diagnostics.reason)") }
    return lines.joined(separator: "\n")
  }

  private static func tenths(of value: Double) -> Double { (value * 10).rounded() / 10 }

  /// Format and modifier of the buffers.
  private var format: String {
    guard let format = diagnostics.formatName else { return "" }
    return " (" + [format, diagnostics.modifierName].compactMap(\.self).joined(separator: ", ") + ")"
  }
}
