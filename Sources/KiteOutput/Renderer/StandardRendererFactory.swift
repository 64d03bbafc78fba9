public import KiteViews

/// Kite's own renderers: the best path that the compositor and the frames allow.
public final class StandardRendererFactory: RendererFactory {
  /// The factory; it keeps no state.
  public init() {}

  /// A renderer for `target`.
  ///
  /// - Throws: `SystemError` when there is no thread or descriptor to be had.
  @MainActor public func makeRenderer(for target: RendererTarget) throws -> (any ViewRenderer)? {
    try ShmRenderer(target: target)
  }
}
