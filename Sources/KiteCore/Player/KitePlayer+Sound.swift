extension KitePlayer {
  /// How loud, 0…1; others are brought within. The scale is the ear's: a half sounds about half as loud. Kept from one item
  /// to the next.
  public var volume: Double {
    get { soundVolume.level }
    set {
      guard newValue.isFinite else { return }
      changeVolume { $0.level = min(max(newValue, 0), 1) }
    }
  }

  /// Whether nothing is to be heard, whatever the volume; playing goes on. Kept from one item to the next.
  public var isMuted: Bool {
    get { soundVolume.isMuted }
    set { changeVolume { $0.isMuted = newValue } }
  }

  /// Shows the video track `id` of `tracks`, or none: then renderers get a black picture, and the sound goes on. Others, and
  /// attached pictures: nothing. What is open next begins with its own.
  ///
  /// Takes a moment: the picture of the new track is looked for at the position. While opening: nothing. A track that can't
  /// be decoded is none, and `state.videoError` says why.
  public func selectVideoTrack(_ id: Int?) { engine?.selectVideoTrack(id) }

  /// Plays the audio track `id` of `tracks`, or none. Others: nothing. What is open next begins with its own.
  ///
  /// Takes a moment: the sound of the new track is looked for at the position. While opening, and without sinks: nothing.
  public func selectAudioTrack(_ id: Int?) { engine?.selectAudioTrack(id) }

  /// Adds the audio tracks of a file to `tracks` of what is open or being opened, and plays the first of them unless told
  /// otherwise. Its start is the start of the film. Returns the first one.
  ///
  /// Seeks, speed, loops and pauses take it along. It may be shorter or longer than the film: while it is chosen, the film
  /// lasts as long as the longer of both. Where it can't be read any further, it is silent, and a warning in
  /// `statistics.lastWarning` says why. What follows in the queue has its own sound.
  ///
  /// - Throws: `MediaError` when it can't be opened or holds no sound; of kind `cancelled` when the film is closed first, or
  ///   nothing is open.
  @discardableResult
  public func addAudioFile(
    _ location: MediaLocation, selects: Bool = true
  ) async throws(MediaError) -> MediaTrack {
    try await addFile(location, on: "kite-audiofile") { engine throws(MediaError) in
      try engine.addAudio(location, selects: selects)
    }
  }
}
