import Kite

extension PlayerApp {
  /// Does what a key asks for.
  func pressed(_ key: KeyEvent) {
    switch KeyBinding(key) {
    case .playPause: playOrPause()
    case .fullscreen: toggleFullscreen()
    case .quit: quit(.played)
    case .help: print(KeyBinding.table)
    case .file(let offset): goThroughList(by: offset)
    case .loop:
      player.isLooping.toggle()
      note(player.isLooping ? "the film loops" : "the film ends")
    case .loopPart: markPart()
    case .screenshot: saveScreenshot()
    case .usualSpeed: player.rate = 1
    case .mute:
      player.isMuted.toggle()
      note(player.isMuted ? "it is muted" : "it is heard")
    case .volume(let hundredths): changeVolume(by: Double(hundredths))
    case .videoTrack: selectNextVideoTrack()
    case .audioTrack: selectNextAudioTrack()
    case .subtitleTrack: selectNextSubtitleTrack()
    case .subtitleDelay(let tenths):
      player.subtitleDelay = player.subtitleDelay + MediaTime(nanoseconds: Int64(tenths) * 100_000_000)
    case .seek(let seconds): player.seek(by: MediaTime(seconds: seconds))
    case .step(let count): player.step(by: count)
    case .speed(let tenths): player.rate = ((player.rate * 10).rounded() + Double(tenths)) / 10
    case nil: break
    }
  }

  /// The beginning of the part to play over and over, then its end, then no part any more.
  /// Tells the log what came of a key.
  private func note(_ message: @autoclosure () -> String) { KiteLog.log(.debug, .app, "key", message()) }

  private func markPart() {
    if player.loopRange != nil {
      player.loopRange = nil
      note("all is played again")
    } else if let start = loopStart {
      loopStart = nil
      let end = player.position
      if end > start { player.loopRange = start..<end }
      note("a part is played over and over: \(start.seconds) to \(end.seconds) s")
    } else {
      loopStart = player.position
      note("a part begins at \(player.position.seconds) s")
    }
  }

  /// Hundredths of the full volume more, or less.
  func changeVolume(by hundredths: Double) {
    player.volume = ((player.volume * 100).rounded() + hundredths) / 100
    note("the volume is \(player.volume * 100)")
  }

  func playOrPause() { player.state.status == .playing ? player.pause() : player.play() }

  /// One track after the other, then none.
  private func selectNextVideoTrack() {
    let tracks = player.tracks.filter { $0.kind == .video && !$0.isAttachedPicture }
    let next = Self.next(after: player.state.videoTrackID, in: tracks)
    player.selectVideoTrack(next)
    note("video track \(next.map(String.init) ?? "off")")
  }

  private func selectNextAudioTrack() {
    let next = Self.next(after: player.state.audioTrackID, in: player.tracks.filter { $0.kind == .audio })
    player.selectAudioTrack(next)
    note("audio track \(next.map(String.init) ?? "off")")
  }

  private func selectNextSubtitleTrack() {
    let next = Self.next(
      after: player.state.subtitleTrackID, in: player.tracks.filter { $0.kind == .subtitle })
    player.selectSubtitleTrack(next)
    note("subtitle track \(next.map(String.init) ?? "off")")
  }

  /// The track behind `id`: the first one after none, none after the last.
  private static func next(after id: Int?, in tracks: [MediaTrack]) -> Int? {
    guard let id, let index = tracks.firstIndex(where: { $0.id == id }) else { return tracks.first?.id }
    return tracks.dropFirst(index + 1).first?.id
  }

  private func saveScreenshot() {
    guard let frame = player.currentFrame() else { return Command.complain("There is no picture to save.") }
    let name = playlist.title.split(separator: ".").dropLast().joined(separator: ".")
    let path = "\(name.isEmpty ? playlist.title : name) \(Self.digits(of: player.position)).png"
    do throws(MediaError) {
      try PictureFile.writePNG(frame, to: path)
      print("Saved \(path).")
    } catch {
      Command.complain("\(error)")
    }
  }

  /// Hours, minutes, seconds and milliseconds, as a file's name can have them.
  private static func digits(of time: MediaTime) -> String {
    let milliseconds = time.nanoseconds / 1_000_000
    let parts = [
      (milliseconds / 3_600_000, 2), (milliseconds / 60_000 % 60, 2), (milliseconds / 1000 % 60, 2),
      (milliseconds % 1000, 3),
    ]
    return parts.map { value, width in
      let digits = String(value)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }.joined(separator: "-")
  }
}
