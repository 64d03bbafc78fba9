import Kite

/// The player: one window, one view, one player, a list of files.
@MainActor
final class PlayerApp {
  private let options: Options
  private let loop: MainLoop
  private let connection: Connection
  let player: KitePlayer
  private(set) var playlist: Playlist
  /// The item that was acted upon last.
  private var item: QueueItem?
  /// Why an item was passed over, once the user was told.
  private var itemError: MediaError?
  /// Where the part begins that is to be played over and over, while its end is not told yet.
  var loopStart: MediaTime?
  var pointer = PointerBinding()
  private var window: Window?
  private var view: KitePlayerView?
  private var screenshots: Screenshots
  private var result = ExitCode.played
  /// The state that was acted upon last.
  private var handledVersion: UInt64?
  /// Why the current file shows no picture, once the user was told.
  private var videoError: MediaError?
  /// Whether the sound that the options name was asked for, for the current file.
  private var hasSelectedAudio = false
  /// Whether the subtitles that the options name were asked for, for the current file.
  private var hasSelectedSubtitles = false
  /// Why the chosen subtitles aren't shown, once the user was told.
  private var subtitleError: MediaError?

  /// Plays what the options name, until the end or until the user quits.
  static func run(_ options: Options) -> ExitCode {
    let connection: Connection
    let loop: MainLoop
    do throws(ToolkitError) {
      connection = try Connection.connect()
    } catch {
      Command.complain("\(error)")
      return .noCompositor
    }
    do throws(SystemError) {
      loop = try MainLoop()
    } catch {
      Command.complain("\(error)")
      return .notPlayed
    }
    let app = PlayerApp(options, connection: connection, loop: loop)
    return app.play()
  }

  private init(_ options: Options, connection: Connection, loop: MainLoop) {
    self.options = options
    self.connection = connection
    self.loop = loop
    playlist = Playlist(options.files)
    screenshots = Screenshots(options.screenshots)
    player = KitePlayer(
      hardware: options.hardware, hardwareDevice: options.hardwareDevice,
      verifiesCertificates: options.verifiesCertificates, certificateFile: options.certificateFile,
      sinks: options.isSilent ? nil : PipeWireSinkFactory(name: "kite-wl"))
    player.isLooping = options.isLooping
    player.isMuted = options.isMuted
    if let volume = options.volume { player.volume = volume / 100 }
    if let speed = options.speed { player.rate = speed }
  }

  private func play() -> ExitCode {
    loop.add(connection)
    connection.onError = { [weak self] error in
      Command.complain("\(error)")
      self?.quit(.connectionLost)
    }
    let signals = QuitSignals { [weak self] in self?.quit(.played) }
    let states = player.stateChanges()
    let following = Task { [weak self] in
      for await state in states { self?.follow(state) }
    }
    if playlist.play(in: player) { seekToStart() }
    loop.run()
    following.cancel()
    signals.cancel()
    if options.printsStatistics { printStatistics() }
    view?.close()
    player.close()
    window?.close()
    loop.remove(connection)
    connection.close()
    return result
  }

  func quit(_ code: ExitCode) {
    if result == .played || code == .connectionLost { result = code }
    loop.stop()
  }

  // MARK: The list

  /// Plays the file `offset` further in the list, or back. Beyond its ends: nothing.
  func goThroughList(by offset: Int) {
    if offset == 1 {
      player.next()
    } else if playlist.play(in: player, at: offset) {
      seekToStart()
    }
  }

  private func seekToStart() {
    if let start = options.start { player.seek(to: MediaTime(seconds: start)) }
  }

  /// Another file is shown.
  private func follow(_ item: QueueItem) {
    hasSelectedAudio = false
    hasSelectedSubtitles = false
    loopStart = nil
    playlist.shown(item)
    window?.title = playlist.title
    if self.item != nil, player.state.item == item { seekToStart() }
    self.item = item
  }

  private func follow(_ state: PlayerState) {
    guard state.version != handledVersion else { return }
    handledVersion = state.version
    if let item = state.item, item != self.item { follow(item) }
    if state.itemError != itemError {
      itemError = state.itemError
      if let itemError {
        Command.complain("\(itemError)")
        result = .notPlayed
      }
    }
    if state.videoError != videoError {
      videoError = state.videoError
      if let videoError {
        Command.complain("\(videoError)")
        result = .notPlayed
      }
    }
    if state.subtitleError != subtitleError {
      subtitleError = state.subtitleError
      if let subtitleError { Command.complain("\(subtitleError)") }
    }
    switch state.status {
    case .failed:
      if let error = state.error { Command.complain("\(error)") }
      result = .notPlayed
      loop.stop()
    case .ended:
      screenshots.finish(player)
      loop.stop()
    case .paused, .playing, .buffering:
      selectAudio()
      selectSubtitles()
      showWindow(for: state)
      takeScreenshots()
    case .opening:
      // What is added now is heard from the start.
      if !options.audioFiles.isEmpty { selectAudio() }
    case .idle: break
    }
  }

  private func selectAudio() {
    guard !hasSelectedAudio else { return }
    hasSelectedAudio = true
    guard !options.audioFiles.isEmpty else { return chooseAudio() }
    Task {
      for (index, file) in options.audioFiles.enumerated() {
        do throws(MediaError) {
          try await player.addAudioFile(MediaLocation(file), selects: index == 0 && options.audioTrack == nil)
        } catch {
          Command.complain("\(error)")
        }
      }
      chooseAudio()
    }
  }

  private func chooseAudio() {
    guard let number = options.audioTrack else { return }
    let tracks = player.tracks.filter { $0.kind == .audio }
    guard number <= tracks.count else {
      return Command.complain("There is no audio track \(number): there are \(tracks.count).")
    }
    player.selectAudioTrack(tracks[number - 1].id)
  }

  private func selectSubtitles() {
    guard !hasSelectedSubtitles else { return }
    hasSelectedSubtitles = true
    guard !options.subtitleFiles.isEmpty else { return chooseSubtitles() }
    Task {
      for file in options.subtitleFiles {
        do throws(MediaError) {
          try await player.addSubtitleFile(MediaLocation(file))
        } catch {
          Command.complain("\(error)")
        }
      }
      chooseSubtitles()
    }
  }

  private func chooseSubtitles() {
    switch options.subtitles {
    case .usual: break
    case .none: player.selectSubtitleTrack(nil)
    case .track(let number):
      let tracks = player.tracks.filter { $0.kind == .subtitle }
      guard number <= tracks.count else {
        return Command.complain("There is no subtitle track \(number): there are \(tracks.count).")
      }
      player.selectSubtitleTrack(tracks[number - 1].id)
    }
  }

  // MARK: The window

  private func showWindow(for state: PlayerState) {
    guard window == nil else { return }
    do throws(ToolkitError) {
      let size = WindowSize.initial(video: state.videoSize, outputs: connection.outputs)
      let window = try Window(connection, title: playlist.title, appID: "kite-wl", size: size)
      let view = try KitePlayerView(in: window)
      view.prefersDmabuf = options.usesDmabuf
      view.player = player
      window.onCloseRequest = { [weak self] in self?.quit(.played) }
      window.input.onKey = { [weak self] key in self?.pressed(key) }
      window.input.onPointer = { [weak self] event in self?.pointed(event) }
      if options.isFullscreen { window.setFullscreen(true) }
      try window.show()
      self.window = window
      self.view = view
    } catch {
      Command.complain("\(error)")
      quit(connection.isAlive ? .notPlayed : .connectionLost)
    }
  }

  func toggleFullscreen() {
    window.map { $0.setFullscreen(!$0.isFullscreen) }
  }

  // MARK: What was asked for on the side

  private func takeScreenshots() {
    guard let wait = screenshots.take(from: player) else { return }
    loop.after(wait) { [weak self] in self?.takeScreenshots() }
  }

  private func printStatistics() {
    guard let view else { return }
    print(Statistics(view: view, player: player))
  }
}
