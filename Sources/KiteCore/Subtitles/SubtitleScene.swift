import KiteSystem

/// The subtitle track that is shown: what is known of it, and what draws it.
///
/// The demuxer's thread puts events in, whoever renders asks what is to be seen and draws it.
final class SubtitleScene: SubtitlePlane {
  private struct State {
    var timeline: SubtitleTimeline
    var delay = MediaTime.zero
    /// The film is over, or text can't be drawn.
    var isHidden = false
    var isBroken = false
    var handler: (@Sendable () -> Void)?
  }

  /// What draws; made when first needed, since it takes long.
  ///
  /// Unchecked, because it is only touched by who holds `turn`.
  private final class Drawer: @unchecked Sendable {
    var text: (any SubtitleTextRenderer)?
    var bitmaps = BitmapDrawing()
    var hasFailed = false
    /// Let go of when the renderer has them.
    var fonts: [MediaAttachment]

    init(fonts: [MediaAttachment]) { self.fonts = fonts }
  }

  let trackID: Int
  private let form: SubtitleForm
  private let texts: (any SubtitleTextRendererFactory)?
  private let clock: @Sendable () -> SubtitleClock
  private let onProblem: @Sendable (MediaError) -> Void
  private let state: Locked<State>
  private let drawer: Drawer
  private let turn = Locked(())

  /// A scene of the track `trackID`, whose text `texts` draws. `clock` says where its item is; it is called with no lock
  /// held. `onProblem` hears once why text can't be drawn, on the drawing thread.
  init(
    trackID: Int, form: SubtitleForm, fonts: [MediaAttachment],
    texts: (any SubtitleTextRendererFactory)?, delay: MediaTime,
    clock: @escaping @Sendable () -> SubtitleClock = { SubtitleClock() },
    onProblem: @escaping @Sendable (MediaError) -> Void
  ) {
    self.trackID = trackID
    self.form = form
    self.texts = texts
    self.clock = clock
    self.onProblem = onProblem
    var state = State(timeline: SubtitleTimeline(isExclusive: form == .pictures))
    state.delay = delay
    self.state = Locked(state)
    drawer = Drawer(fonts: fonts)
  }

  // MARK: The engine's side

  /// Takes events in.
  func add(_ events: [SubtitleEvent]) {
    change { $0.timeline.add(events) }
  }

  /// What comes next is not what follows in the film.
  func jumped() {
    change { state in
      _ = state.timeline.closeOpen()
      return true
    }
  }

  /// The clock runs from now on, or at another speed: what is due over a picture that stays is due at another time.
  func clockChanged() {
    change { _ in true }
  }

  /// Shows everything later by `delay`; earlier when it is negative.
  func setDelay(_ delay: MediaTime) {
    change { state in
      defer { state.delay = delay }
      return state.delay != delay
    }
  }

  /// The film is over: nothing is shown; or it goes on.
  func setHidden(_ isHidden: Bool) {
    change { state in
      defer { state.isHidden = isHidden }
      return state.isHidden != isHidden
    }
  }

  private func change(_ body: (inout State) -> Bool) {
    let handler = state.withLock { state in body(&state) ? state.handler : nil }
    handler?()
  }

  // MARK: The renderer's side

  func onChange(_ handler: (@Sendable () -> Void)?) {
    state.withLock { $0.handler = handler }
  }

  func time(over picture: MediaTime, at now: MonotonicTime) -> MediaTime {
    clock().time(over: picture, at: now)
  }

  func due(_ time: MediaTime, over picture: MediaTime, at now: MonotonicTime) -> MonotonicTime? {
    clock().due(time, over: picture, at: now)
  }

  func span(at time: MediaTime) -> SubtitleSpan {
    state.withLock { state in
      guard !state.isHidden, !state.isBroken else {
        return SubtitleSpan(marks: [], end: MediaTime(nanoseconds: .max))
      }
      var span = state.timeline.lookup(at: time - state.delay).span
      if span.end.nanoseconds != .max { span.end = span.end + state.delay }
      return span
    }
  }

  func draw(at time: MediaTime, on canvas: SubtitleCanvas, _ body: (SubtitleDrawing) -> Void) {
    let (entries, delay, isBroken) = state.withLock { state in
      (
        state.isHidden ? [] : state.timeline.lookup(at: time - state.delay).visible, state.delay,
        state.isBroken
      )
    }
    guard !isBroken else { return }
    let problem = turn.withLock { _ -> MediaError? in
      guard case .text(let header, let isStyled) = form else {
        drawer.bitmaps.draw(entries, on: canvas, body)
        return nil
      }
      guard !drawer.hasFailed else { return nil }
      do throws(MediaError) {
        if drawer.text == nil {
          drawer.text = try makeText(header: header, isStyled: isStyled, fonts: drawer.fonts)
          drawer.fonts = []
        }
      } catch {
        drawer.hasFailed = true
        return error
      }
      drawer.text?.draw(entries.compactMap(\.line), at: time - delay, on: canvas, body)
      return nil
    }
    guard let problem else { return }
    change { state in
      state.isBroken = true
      return true
    }
    onProblem(problem)
  }

  private func makeText(
    header: [UInt8], isStyled: Bool, fonts: [MediaAttachment]
  ) throws(MediaError) -> sending any SubtitleTextRenderer {
    guard let texts else {
      throw MediaError(
        kind: .unsupported, subject: "subtitles",
        reason: "are text, and this player has nothing to draw it with",
        advice: "Give the player a text renderer.")
    }
    return try texts.makeRenderer(header: header, isStyled: isStyled, fonts: fonts)
  }
}

extension SubtitleTimeline.Entry {
  /// The line of text that it is; nil for pictures.
  fileprivate var line: SubtitleLine? {
    guard case .text(let text) = content else { return nil }
    return SubtitleLine(number: number, start: start, end: end, text: text)
  }
}
