internal import Glibc
public import KiteCore
public import KiteSystem
internal import Synchronization

/// Subtitles that the test makes: rectangles of one colour.
public final class FakePlane: SubtitlePlane {
  /// A rectangle that is shown for a while.
  public struct Line: Sendable {
    var mark: Int
    var start: MediaTime
    var end: MediaTime
    /// On the canvas, in physical pixels.
    var place: PixelRect
    /// Premultiplied.
    var color: UInt32
    var isAnimated: Bool

    /// A white rectangle; `mark` tells it from others.
    public init(
      _ mark: Int, from start: Double, to end: Double, place: PixelRect, color: UInt32 = .max,
      isAnimated: Bool = false
    ) {
      self.mark = mark
      self.start = MediaTime(seconds: start)
      self.end = MediaTime(seconds: end)
      self.place = place
      self.color = color
      self.isAnimated = isAnimated
    }
  }

  private struct State {
    var lines: [Line]
    var handler: (@Sendable () -> Void)?
    /// When media time zero was.
    var start: MonotonicTime?
    var draws: [MediaTime] = []
    var canvas: SubtitleCanvas?
    var isHeld = false
    var waiting = 0
  }

  private let state: Mutex<State>

  /// A plane with `lines`.
  public init(_ lines: [Line]) { state = Mutex(State(lines: lines)) }

  /// What it shows; setting it tells who shows it.
  public var lines: [Line] {
    get { state.withLock { $0.lines } }
    set {
      let handler = state.withLock { state in
        state.lines = newValue
        return state.handler
      }
      handler?()
    }
  }

  /// Lets the clock run from media time `seconds` on, or stop.
  public func run(from seconds: Double?) {
    let start = seconds.map { MonotonicTime.now - Int64($0 * 1e9) }
    let handler = state.withLock { state in
      state.start = start
      return state.handler
    }
    handler?()
  }

  public func time(over picture: MediaTime, at now: MonotonicTime) -> MediaTime {
    state.withLock { state in
      guard let start = state.start else { return picture }
      return max(picture, MediaTime(nanoseconds: now - start))
    }
  }

  public func due(_ time: MediaTime, over picture: MediaTime, at now: MonotonicTime) -> MonotonicTime? {
    state.withLock { $0.start.map { $0 + time.nanoseconds } }
  }

  /// The times for which it has drawn something.
  public var draws: [MediaTime] { state.withLock { $0.draws } }
  /// What it was drawn on last.
  public var canvas: SubtitleCanvas? { state.withLock { $0.canvas } }
  /// Whether anybody is told of changes.
  public var isWatched: Bool { state.withLock { $0.handler != nil } }
  /// Calls of `draw` that wait for `isHeld` to end.
  public var waiting: Int { state.withLock { $0.waiting } }
  /// Whether drawing takes until this is false again.
  public var isHeld: Bool {
    get { state.withLock { $0.isHeld } }
    set { state.withLock { $0.isHeld = newValue } }
  }

  public func onChange(_ handler: (@Sendable () -> Void)?) { state.withLock { $0.handler = handler } }

  public func span(at time: MediaTime) -> SubtitleSpan {
    state.withLock { state in
      let visible = state.lines.filter { $0.start <= time && $0.end > time }
      let changes = state.lines.flatMap { [$0.start, $0.end] }.filter { $0 > time }
      return SubtitleSpan(
        marks: visible.map(\.mark), isAnimated: visible.contains(where: \.isAnimated),
        end: changes.min() ?? MediaTime(nanoseconds: .max))
    }
  }

  public func draw(at time: MediaTime, on canvas: SubtitleCanvas, _ body: (SubtitleDrawing) -> Void) {
    state.withLock { $0.waiting += 1 }
    while isHeld { usleep(1000) }
    let lines = state.withLock { state in
      state.waiting -= 1
      state.canvas = canvas
      let visible = state.lines.filter { $0.start <= time && $0.end > time }
      if !visible.isEmpty { state.draws.append(time) }
      return visible
    }
    Self.draw(lines[...], [], on: canvas, body)
  }

  private static func draw(
    _ lines: ArraySlice<Line>, _ pieces: [SubtitleDrawing.Piece], on canvas: SubtitleCanvas,
    _ body: (SubtitleDrawing) -> Void
  ) {
    guard let line = lines.first else { return body(SubtitleDrawing(pieces, on: canvas.size)) }
    let pixels = [UInt32](repeating: line.color, count: line.place.width * line.place.height)
    pixels.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      let piece = SubtitleDrawing.Piece(place: line.place, ink: .pixels(base, stride: line.place.width))
      draw(lines.dropFirst(), pieces + [piece], on: canvas, body)
    }
  }
}
