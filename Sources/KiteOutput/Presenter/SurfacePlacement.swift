import KiteCore
import KiteViews
import Wayland

/// How a buffer is put on the surface, and the surface in the view.
struct SurfacePlacement: Hashable {
  /// `wp_viewport.set_source`, in pixels of the turned buffer; nil for all of it.
  var source: PictureLayout.Rect?
  /// `wp_viewport.set_destination`, in logical pixels; nil where the buffer's size is the surface's.
  var destination: PixelSize?
  /// `wl_surface.set_buffer_scale`.
  var bufferScale: Int
  /// `wl_surface.set_buffer_transform`.
  var orientation: Orientation
  /// The part of the view that the surface covers, in logical pixels.
  var place: PixelRect

  /// A converted picture covers the view, bars included, pixel for pixel: its edges are exact at any scale, and the
  /// compositor has nothing to scale.
  init(converted geometry: SurfaceGeometry, hasViewport: Bool) {
    let size = geometry.logicalSize
    source = nil
    orientation = .upright
    place = PixelRect(x: 0, y: 0, width: size.width, height: size.height)
    bufferScale = geometry.bufferScale(hasViewport: hasViewport)
    // At scale 1 nothing is said: a viewport costs software compositors their fast path.
    destination = hasViewport && geometry.scale120 != 120 ? size : nil
  }

  /// A frame in its own memory: cropped, turned and scaled by the compositor. Nil when nothing of it would show.
  init?(direct frame: VideoFrame.Properties, geometry: SurfaceGeometry) {
    guard
      let layout = PictureLayout(
        picture: frame.displaySize, in: geometry.logicalSize, scaleMode: geometry.scaleMode)
    else { return nil }
    source = frame.orientedSource(of: layout.source)
    destination = layout.destination.size
    bufferScale = 1
    orientation = frame.orientation
    place = layout.destination
  }
}

/// What was last said of the surface, so that only changes are said.
struct SurfaceState {
  var isOpaque = false
  var isGone = false
  var placed: PixelRect?
  /// The buffer of the latest commit.
  var attached: PresentedBuffer?
  private var applied: SurfacePlacement?

  init() {}

  /// Sends what differs from the last placement.
  mutating func apply(_ placement: SurfacePlacement, to surface: WlSurface, viewport: WpViewport?) {
    if let viewport {
      if applied?.source != placement.source { Self.setSource(placement.source, of: viewport) }
      if applied?.destination != placement.destination {
        viewport.setDestination(
          width: placement.destination.map { Int32(clamping: $0.width) } ?? -1,
          height: placement.destination.map { Int32(clamping: $0.height) } ?? -1)
      }
    }
    if (applied?.bufferScale ?? 1) != placement.bufferScale {
      surface.setBufferScale(Int32(clamping: placement.bufferScale))
    }
    if (applied?.orientation ?? .upright) != placement.orientation {
      surface.setBufferTransform(placement.orientation.bufferTransform)
    }
    applied = placement
  }

  static func setSource(_ source: PictureLayout.Rect?, of viewport: WpViewport) {
    guard let source else { return viewport.setSource(x: -1, y: -1, width: -1, height: -1) }
    viewport.setSource(
      x: WaylandFixed(source.x), y: WaylandFixed(source.y), width: WaylandFixed(source.width),
      height: WaylandFixed(source.height))
  }
}

extension Orientation {
  /// The transform that the memory already has, as `wl_surface.set_buffer_transform` wants it: the compositor undoes
  /// it. The protocol mirrors, then turns counter-clockwise; what has to be turned clockwise to be upright was turned
  /// counter-clockwise.
  var bufferTransform: WlOutput.Transform {
    switch (rotation, isMirrored) {
    case (.none, false): .normal
    case (.clockwise90, false): .transform90
    case (.half, false): .transform180
    case (.clockwise270, false): .transform270
    case (.none, true): .flipped
    // Behind a mirror a turn goes the other way round.
    case (.clockwise90, true): .flipped270
    case (.half, true): .flipped180
    case (.clockwise270, true): .flipped90
    }
  }
}
