public import KiteCore
public import WaylandToolkit

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
  /// What is beside a picture that does not fill the view; opaque.
  public var background: SolidColor

  /// The geometry of a surface; by default at scale 1, fitted, visible, on black.
  public init(
    logicalSize: PixelSize, scale120: Int = 120, scaleMode: ScaleMode = .fit, isVisible: Bool = true,
    background: SolidColor = .black
  ) {
    self.logicalSize = logicalSize
    self.scale120 = max(1, scale120)
    self.scaleMode = scaleMode
    self.isVisible = isVisible
    self.background = background
  }

  /// The whole number to scale a buffer by where the compositor has no viewport: the scale, rounded up, so that detail is
  /// lost to the compositor's own scaling and not invented by it. 1 with a viewport.
  public func bufferScale(hasViewport: Bool) -> Int { hasViewport ? 1 : (scale120 + 119) / 120 }

  /// The size of a buffer that covers the surface pixel for pixel: the physical size, or without a viewport the logical
  /// size times `bufferScale`.
  public func bufferSize(hasViewport: Bool) -> PixelSize {
    guard !hasViewport else { return physicalSize }
    let scale = bufferScale(hasViewport: false)
    return PixelSize(width: logicalSize.width * scale, height: logicalSize.height * scale)
  }

  /// The surface's size in physical pixels. The protocol fixes the rounding: half away from zero. Rounding any other
  /// way gives a buffer one pixel off, which the compositor then scales.
  public var physicalSize: PixelSize {
    PixelSize(width: physical(logicalSize.width), height: physical(logicalSize.height))
  }

  private func physical(_ logical: Int) -> Int { (logical * scale120 + 60) / 120 }
}
