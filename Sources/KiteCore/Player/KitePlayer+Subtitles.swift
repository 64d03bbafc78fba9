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
    guard let engine else {
      throw MediaError(
        kind: .cancelled, subject: location.text, reason: "was not added: nothing is open",
        advice: "Open the film first.")
    }
    let result = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<MediaTrack, MediaError>, Never>) in
      do throws(MediaError) {
        // Reading blocks, and the file may be on a slow disk: on a thread of its own.
        try engine.startThread("kite-subs") { engine in
          do throws(MediaError) {
            continuation.resume(returning: .success(try engine.addSubtitles(location, selects: selects)))
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
