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
}
