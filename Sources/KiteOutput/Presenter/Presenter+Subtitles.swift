import KiteCore
import KiteSystem
import KiteViews
import Wayland

// Subtitles change with the picture that they belong to, if they are drawn by then; else by themselves, later.
extension Presenter {
  /// Takes the plane, what changed on it, and what was drawn. The first plane brings the overlay and its thread.
  func takeSubtitleNews() {
    guard let news = link.takeSubtitleNews(), closingDeadline == nil else { return }
    if subtitles == nil, news.plane != nil, let connection {
      subtitles = try? SubtitleOverlay(connection: connection) { [link, thread] drawn in
        link.postSubtitles { $0.drawn.append(drawn) }
        thread.wake()
      }
    }
    subtitles?.take(news)
  }

  /// Shows what has been drawn for the picture on the surface, and begins to draw for the one that comes. Returns when text
  /// changes though no picture comes; nil: not as things are.
  func updateSubtitles(at now: MonotonicTime) -> MonotonicTime? {
    guard let subtitles, let shown = shownProperties, geometry.isVisible else { return nil }
    if !needsRepaint, surfaceState.attached != nil, let place = surfaceState.placed,
      subtitles.wantsCommit(for: shown, in: geometry, at: now), let connection
    {
      link.withSurface { _ in
        let after = prepareSubtitles(at: place, at: now)
        // Nothing but what waits for it. A frame that has not been seen yet is seen by this.
        if let unseen = currentCommit, fates.recommitted(unseen) {
          intents[unseen] = nil
          expectFate(of: unseen, on: connection.surface, at: now, isRepaint: true)
        }
        connection.surface.commit()
        after?()
      }
    }
    // Off: without subtitles there is no thread for them.
    if subtitles.isIdle {
      endSubtitles()
      return nil
    }
    subtitles.want(link.withShelf { $0.firstProperties } ?? shown, in: geometry, at: now)
    return subtitles.nextChange(over: shown, at: now)
  }

  /// Brings the subtitles to the picture that is about to be committed, at `place` of the view. Returns what is to follow the
  /// commit.
  func prepareSubtitles(at place: PixelRect, at now: MonotonicTime) -> (() -> Void)? {
    guard let subtitles, let shown = shownProperties else { return nil }
    return subtitles.prepareCommit(of: shown, in: geometry, video: place, at: now)
  }

  /// Takes the subtitles off the screen and ends what drew them.
  func endSubtitles() {
    subtitles?.close()
    subtitles = nil
  }
}
