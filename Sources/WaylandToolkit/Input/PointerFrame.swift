internal import Wayland

/// Collects what a pointer does until its frame is complete, then tells it in order: leaving, coming, moving,
/// buttons, and one sum of everything that scrolled.
///
/// `Surface` names surfaces.
struct PointerFrame<Surface: Hashable> {
  /// What to tell of a frame.
  enum Step: Hashable {
    case left(Surface)
    case entered(Surface, SurfacePoint, serial: UInt32)
    /// For the surface that the pointer is over.
    case happened(PointerEvent)
  }

  private var steps: [Step] = []
  private var scroll: ScrollEvent?
  private var point = SurfacePoint(x: 0, y: 0)
  private let hasFrames: Bool

  /// Before version 5 there are no frames: each event is one.
  init(version: UInt32) { hasFrames = version >= 5 }

  /// Takes an event; `name` names the surface that it comes with. Returns what to tell now.
  mutating func receive(_ event: WlPointer.Event, _ name: (WlSurface) -> Surface) -> [Step] {
    switch event {
    case .enter(let serial, let surface, let x, let y):
      point = SurfacePoint(x: x.doubleValue, y: y.doubleValue)
      if let surface { steps.append(.entered(name(surface), point, serial: serial)) }
    case .leave(_, let surface):
      if let surface { steps.append(.left(name(surface))) }
    case .motion(_, let x, let y), .warp(let x, let y):
      move(to: SurfacePoint(x: x.doubleValue, y: y.doubleValue))
    case .button(let serial, _, let code, let state):
      steps.append(
        .happened(.button(code: code, isPressed: state == .pressed, serial: serial, at: point)))
    case .axis(_, let axis, let value):
      scrolled(axis) {
        $0 += value.doubleValue
      } steps: { _ in
      }
    case .axisDiscrete(let axis, let clicks):
      scrolled(axis) { _ in
      } steps: {
        $0 += Int(clicks) * 120
      }
    case .axisValue120(let axis, let value):
      scrolled(axis) { _ in
      } steps: {
        $0 += Int(value)
      }
    case .axisSource(let source):
      scroll = scroll ?? ScrollEvent()
      scroll?.source = Self.source(source)
    case .axisStop:
      scroll = scroll ?? ScrollEvent()
      scroll?.isEnd = true
    case .axisRelativeDirection: break
    case .frame: return take()
    }
    return hasFrames ? [] : take()
  }

  private mutating func take() -> [Step] {
    if let scroll { steps.append(.happened(.scrolled(scroll))) }
    scroll = nil
    defer { steps.removeAll() }
    return steps
  }

  private mutating func move(to point: SurfacePoint) {
    self.point = point
    // Of several movements in a row only the last is of interest.
    if case .happened(.moved) = steps.last { steps.removeLast() }
    steps.append(.happened(.moved(point)))
  }

  private mutating func scrolled(
    _ axis: WlPointer.Axis, distance: (inout Double) -> Void, steps: (inout Int) -> Void
  ) {
    var sum = scroll ?? ScrollEvent()
    switch axis {
    case .verticalScroll:
      distance(&sum.y)
      steps(&sum.steps120Y)
    case .horizontalScroll:
      distance(&sum.x)
      steps(&sum.steps120X)
    default: return
    }
    scroll = sum
  }

  private static func source(_ source: WlPointer.AxisSource) -> ScrollEvent.Source {
    switch source {
    case .wheel: .wheel
    case .finger: .finger
    case .continuous: .continuous
    case .wheelTilt: .wheelTilt
    default: .unknown
    }
  }
}
