public import KiteViews

/// Kite's own renderers: the best path that the compositor and the frames allow.
public final class StandardRendererFactory: RendererFactory {
  private let devices: KernelDevices

  /// The factory; it keeps no state.
  public init() { devices = KernelDevices() }

  /// A factory whose renderers use `devices`.
  init(devices: KernelDevices) { self.devices = devices }

  /// A renderer for `target`.
  ///
  /// - Throws: `SystemError` when there is no thread or descriptor to be had.
  @MainActor public func makeRenderer(for target: RendererTarget) throws -> (any ViewRenderer)? {
    try SurfaceRenderer(target: target, devices: devices)
  }
}
