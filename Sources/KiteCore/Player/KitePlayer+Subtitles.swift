extension KitePlayer {
  /// Shows the subtitle track `id` of `tracks`, or none. Others: nothing. What is open next begins with its own: forced
  /// subtitles in the language of its sound, else those that its container marks as default, else none.
  ///
  /// While opening: nothing. Where they can't be shown, `state.subtitleError` says why, and the film goes on.
  public func selectSubtitleTrack(_ id: Int?) { engine?.selectSubtitleTrack(id) }

  /// Adds the first track of a subtitle file to `tracks` of what is open or being opened, and shows it unless told
  /// otherwise. Its times count from the start of the film. Returns the track.
  ///
  /// - Throws: `MediaError` when it can't be read or holds no subtitles; of kind `cancelled` when the film is closed first,
  ///   or nothing is open.
  @discardableResult
  public func addSubtitleFile(
    _ location: MediaLocation, selects: Bool = true
  ) async throws(MediaError) -> MediaTrack {
    try await addFile(location, on: "kite-subs") { engine throws(MediaError) in
      try engine.addSubtitles(location, selects: selects)
    }
  }

  /// Reads a file beside the film by `read`, on a thread of its own: that blocks, and the file may be on a slow disk.
  func addFile(
    _ location: MediaLocation, on thread: String,
    _ read: @escaping @Sendable (Engine) throws(MediaError) -> MediaTrack
  ) async throws(MediaError) -> MediaTrack {
    guard let engine else {
      throw MediaError(
        kind: .cancelled, subject: location.text, reason: "was not added: nothing is open",
        advice: "Open the film first.")
    }
    let result = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<MediaTrack, MediaError>, Never>) in
      do throws(MediaError) {
        try engine.startThread(thread) { engine in
          do throws(MediaError) {
            continuation.resume(returning: .success(try read(engine)))
          } catch {
            continuation.resume(returning: .failure(error))
          }
        }
      } catch {
        continuation.resume(returning: .failure(error))
      }
    }
    return try result.get()
  }
}
