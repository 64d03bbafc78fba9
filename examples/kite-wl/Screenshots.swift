import Kite

/// The pictures that `--screenshot-at` asked for, taken when the position is reached.
@MainActor
struct Screenshots {
  private var wanted: [Options.Screenshot]

  /// Pictures in the order of their time.
  init(_ wanted: [Options.Screenshot]) { self.wanted = wanted }

  /// Takes those whose time has come. Returns how long to wait for the next one, in nanoseconds; nil when none is left.
  mutating func take(from player: KitePlayer) -> Int64? {
    while let next = wanted.first {
      // The position is where a seek goes before its picture is there.
      guard !player.state.isSeeking else { return 5_000_000 }
      let wait = MediaTime(seconds: next.seconds) - player.position
      // Look again at least twice a second: the clock may be held meanwhile.
      guard wait.nanoseconds <= 0 else { return min(wait.nanoseconds + 1_000_000, 500_000_000) }
      wanted.removeFirst()
      save(next, of: player)
    }
    return nil
  }

  /// The end came first: the last picture serves for those that are left.
  mutating func finish(_ player: KitePlayer) {
    for screenshot in wanted { save(screenshot, of: player) }
    wanted.removeAll()
  }

  private func save(_ screenshot: Options.Screenshot, of player: KitePlayer) {
    guard let frame = player.currentFrame() else {
      return Command.complain("\(screenshot.path): there is no picture at \(screenshot.seconds) s.")
    }
    do throws(MediaError) {
      try PictureFile.writePNG(frame, to: screenshot.path)
    } catch {
      Command.complain("\(error)")
    }
  }
}
