public import Wayland

/// Follows a surface's scale and the outputs that it is on. Takes the surface's `onEvent`.
///
/// `Window` and `Subsurface` have one each.
@MainActor
public final class SurfaceScale {
  /// Physical pixels per logical pixel in 120ths, as `wp_fractional_scale_v1` counts: 120 is 1, 180 is 1.5.
  public private(set) var scale120 = 120
  /// The outputs that the surface is on, in the order of `Connection.outputs`. Empty for one that can't be
  /// seen.
  public var outputs: [Output] {
    let ids = tracker.outputs
    return connection?.allOutputs.filter { ids.contains($0.id) } ?? []
  }
  /// Called when `scale120` or `outputs` changed.
  public var onChange: (() -> Void)?

  private var tracker = ScaleTracker<Output.ID>()
  private weak var connection: Connection?
  private var fractional: WpFractionalScaleV1?

  /// Follows `surface`, which must outlive this object or `close()` be called before it ends.
  public init(_ surface: WlSurface, of connection: Connection) {
    self.connection = connection
    surface.onEvent = { [weak self] in self?.receive($0) }
    if let manager = connection.fractionalScales {
      let fractional = manager.getFractionalScale(surface)
      fractional.onEvent = { [weak self] event in
        if case .preferredScale(let scale) = event { self?.change { $0.fractional(scale) } }
      }
      self.fractional = fractional
    }
    connection.add(self)
  }

  /// Stops following. Idempotent.
  public func close() {
    if let fractional, fractional.isAlive { fractional.destroy() }
    fractional = nil
    onChange = nil
    connection?.remove(self)
  }

  isolated deinit { close() }

  /// An output changed or, with nil, went.
  func outputChanged(_ id: Output.ID, scale: Int?) {
    change { tracker in
      if let scale { tracker.changed(id, scale: scale) } else { tracker.left(id) }
    }
  }

  private func receive(_ event: WlSurface.Event) {
    switch event {
    case .enter(let proxy):
      guard let output = connection?.output(of: proxy) else { return }
      change { $0.entered(output.id, scale: output.info?.scale ?? 1) }
    case .leave(let proxy):
      guard let output = connection?.output(of: proxy) else { return }
      change { $0.left(output.id) }
    case .preferredBufferScale(let factor): change { $0.preferred(factor) }
    case .preferredBufferTransform: break
    }
  }

  private func change(_ body: (inout ScaleTracker<Output.ID>) -> Void) {
    let before = tracker.outputs
    body(&tracker)
    guard scale120 != tracker.scale120 || before != tracker.outputs else { return }
    scale120 = tracker.scale120
    onChange?()
  }
}
