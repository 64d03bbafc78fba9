/// A value that a commit may bring.
enum Change<Value> {
  case none
  case to(Value)

  /// The value, if there is one.
  var value: Value? {
    if case .to(let value) = self { value } else { nil }
  }

  /// A later change wins.
  mutating func merge(_ later: Change) {
    if case .to = later { self = later }
  }

  func apply(to target: inout Value) {
    if case .to(let value) = self { target = value }
  }
}

/// All that a surface's requests since the last commit ask for: its pending state, or its cached state while it is
/// a synchronized subsurface.
struct SurfaceChange {
  var buffer = Change<ServerBuffer?>.none
  var scale = Change<Int>.none
  var transform = Change<BufferTransform>.none
  var source = Change<SourceRect?>.none
  var destination = Change<SurfaceSize?>.none
  var opaqueRegion = Change<[Box]>.none
  var inputRegion = Change<[Box]?>.none
  /// Of the buffer.
  var points = SyncPoints()
  /// What it waits for.
  var constraints = CommitConstraints()
  /// What its colours are said to be.
  var colors = Change<RepresentedColors>.none
  var contentType = Change<UInt32>.none
  var frameCallbacks: [WlCallbackResource] = []
  var feedback: [WpPresentationFeedbackResource] = []
  var isDamaged = false
  /// Of the children: applied with this surface's state.
  var stack = Change<[StackEntry]>.none
  var positions: [ObjectIdentifier: (x: Int, y: Int)] = [:]
  /// Of the window.
  var ackedSerial = Change<UInt32>.none
  var windowGeometry = Change<Box>.none

  /// Puts a later change on top. Feedback for the earlier content is handed back: it will never be shown.
  mutating func merge(_ later: SurfaceChange) -> (
    replaced: ServerBuffer?, discarded: [WpPresentationFeedbackResource]
  ) {
    var replaced: ServerBuffer?
    if case .to(let old) = buffer, case .to = later.buffer { replaced = old }
    if case .to = later.buffer { points = later.points }
    buffer.merge(later.buffer)
    scale.merge(later.scale)
    transform.merge(later.transform)
    source.merge(later.source)
    destination.merge(later.destination)
    opaqueRegion.merge(later.opaqueRegion)
    inputRegion.merge(later.inputRegion)
    colors.merge(later.colors)
    contentType.merge(later.contentType)
    constraints.merge(later.constraints)
    stack.merge(later.stack)
    positions.merge(later.positions) { _, new in new }
    ackedSerial.merge(later.ackedSerial)
    windowGeometry.merge(later.windowGeometry)
    frameCallbacks += later.frameCallbacks
    isDamaged = isDamaged || later.isDamaged
    defer { feedback = later.feedback }
    return (replaced, feedback)
  }
}
