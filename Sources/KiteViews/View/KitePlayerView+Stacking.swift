// Views inside of other surfaces: which lies above which. In force with the parent's next commit, which is its owner's.
extension KitePlayerView {
  /// Puts the view directly above `other`, which is in the same parent. A new view lies above all that were there.
  ///
  /// - Returns: false, and nothing happens, when the two are not in the same parent.
  @discardableResult
  public func placeAbove(_ other: KitePlayerView) -> Bool { place(above: true, other) }

  /// Puts the view directly below `other`, which is in the same parent; otherwise like the above.
  @discardableResult
  public func placeBelow(_ other: KitePlayerView) -> Bool { place(above: false, other) }

  /// Puts the view below what the parent draws: controls are drawn over it, and it is seen where the parent's picture lets
  /// it through.
  ///
  /// - Returns: false, and nothing happens, for a view that is not inside of another surface.
  @discardableResult
  public func placeBelowParent() -> Bool { (host as? SubsurfaceHost)?.placeBelowParent() ?? false }

  private func place(above: Bool, _ other: KitePlayerView) -> Bool {
    guard let own = host as? SubsurfaceHost, let others = other.host as? SubsurfaceHost else { return false }
    return own.place(above: above, others)
  }
}
