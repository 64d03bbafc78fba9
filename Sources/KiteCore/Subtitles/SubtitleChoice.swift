/// Which subtitles are shown when nobody has chosen.
enum SubtitleChoice {
  /// Forced ones in the language of the sound (or of no language), which translate what that leaves foreign; else what the
  /// container marks as the one to show; else none.
  static func track(of tracks: [MediaTrack], audio: MediaTrack?) -> MediaTrack? {
    let subtitles = tracks.filter { $0.kind == .subtitle }
    let forced = subtitles.first { track in
      guard track.isForced else { return false }
      guard let language = track.language, let spoken = audio?.language else { return true }
      return language == spoken
    }
    return forced ?? subtitles.first { $0.isDefault && !$0.isForced }
  }
}
