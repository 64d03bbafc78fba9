public import KiteCore

/// How a picture is fitted into a view of another shape.
public enum ScaleMode: Hashable, Sendable {
  /// All of the picture, as large as fits; bars of the background beside it.
  case fit
  /// The whole view, as little as possible of the picture cut off.
  case fill
  /// The whole view, the aspect ratio given up.
  case stretch
}

/// The size and scale of a view's surface, as the compositor wants it now.
public struct SurfaceGeometry: Hashable, Sendable {
  /// The surface's size in logical (surface-local) pixels; both positive once the view is mapped.
  public var logicalSize: PixelSize
  /// Physical pixels per logical pixel in 120ths, as `wp_fractional_scale_v1.preferred_scale` sends it: 120 is 1.
  public var scale120: Int
  /// How the picture is fitted in.
  public var scaleMode: ScaleMode
  /// Whether anything drawn can be seen: false while the window is suspended.
  public var isVisible: Bool

  /// The geometry of a surface; by default at scale 1, fitted and visible.
  public init(
    logicalSize: PixelSize, scale120: Int = 120, scaleMode: ScaleMode = .fit, isVisible: Bool = true
  ) {
    self.logicalSize = logicalSize
    self.scale120 = max(1, scale120)
    self.scaleMode = scaleMode
    self.isVisible = isVisible
  }

  /// The surface's size in physical pixels. The protocol fixes the rounding: half away from zero. Rounding any other
  /// way gives a buffer one pixel off, which the compositor then scales.
  public var physicalSize: PixelSize {
    PixelSize(width: physical(logicalSize.width), height: physical(logicalSize.height))
  }

  private func physical(_ logical: Int) -> Int { (logical * scale120 + 60) / 120 }
}
