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
    case .loop: player.isLooping.toggle()
    case .loopPart: markPart()
    case .screenshot: saveScreenshot()
    case .usualSpeed: player.rate = 1
    case .mute: player.isMuted.toggle()
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
  private func markPart() {
    if player.loopRange != nil {
      player.loopRange = nil
    } else if let start = loopStart {
      loopStart = nil
      let end = player.position
      if end > start { player.loopRange = start..<end }
    } else {
      loopStart = player.position
    }
  }

  /// Hundredths of the full volume more, or less.
  func changeVolume(by hundredths: Double) {
    player.volume = ((player.volume * 100).rounded() + hundredths) / 100
  }

  func playOrPause() { player.state.status == .playing ? player.pause() : player.play() }

  /// One track after the other, then none.
  private func selectNextVideoTrack() {
    let ids = player.tracks.filter { $0.kind == .video && !$0.isAttachedPicture }.map(\.id)
    guard let id = player.state.videoTrackID, let index = ids.firstIndex(of: id) else {
      return player.selectVideoTrack(ids.first)
    }
    player.selectVideoTrack(ids.dropFirst(index + 1).first)
  }

  /// One track after the other, then none.
  private func selectNextAudioTrack() {
    let ids = player.tracks.filter { $0.kind == .audio }.map(\.id)
    guard let id = player.state.audioTrackID, let index = ids.firstIndex(of: id) else {
      return player.selectAudioTrack(ids.first)
    }
    player.selectAudioTrack(ids.dropFirst(index + 1).first)
  }

  /// One track after the other, then none.
  private func selectNextSubtitleTrack() {
    let ids = player.tracks.filter { $0.kind == .subtitle }.map(\.id)
    guard let id = player.state.subtitleTrackID, let index = ids.firstIndex(of: id) else {
      return player.selectSubtitleTrack(ids.first)
    }
    player.selectSubtitleTrack(ids.dropFirst(index + 1).first)
  }

  /// Saves the picture that is shown under a name that tells film and position.
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
