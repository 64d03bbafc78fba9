public import KiteViews

/// Kite's own renderers: the best path that the compositor and the frames allow.
public final class StandardRendererFactory: RendererFactory {
  private let dmabufs: any DmabufMaker

  /// The factory; it keeps no state.
  public init() { dmabufs = KernelDmabufs() }

  /// A factory whose renderers make their dmabufs by `dmabufs`.
  init(dmabufs: any DmabufMaker) { self.dmabufs = dmabufs }

  /// A renderer for `target`.
  ///
  /// - Throws: `SystemError` when there is no thread or descriptor to be had.
  @MainActor public func makeRenderer(for target: RendererTarget) throws -> (any ViewRenderer)? {
    try SurfaceRenderer(target: target, dmabufs: dmabufs)
  }
}
