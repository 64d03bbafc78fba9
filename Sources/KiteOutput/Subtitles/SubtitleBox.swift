import KiteCore
import KiteViews

/// The part of the view that the surface of the subtitles covers: around what is drawn, and no more, since a compositor
/// blends all of it over every picture.
struct SubtitleBox: Hashable {
  /// In the view, in logical pixels.
  let place: PixelRect
  /// The pixel of the canvas that is the buffer's first.
  let origin: PixelRect
  /// `wp_viewport.set_source`; nil for all of the buffer.
  let source: PictureLayout.Rect?
  /// `wp_viewport.set_destination`; nil where the buffer's size is the surface's.
  let destination: PixelSize?
  /// `wl_surface.set_buffer_scale`.
  let bufferScale: Int

  /// Logical pixels of the steps in which it grows, about: a line that is a little longer needs no other buffer.
  private static let step = 32
  /// Times the needed area from which on a box is made smaller.
  private static let leeway = 4

  /// The box around `ink`, in pixels of the canvas; nil for nothing. `former` is kept where it does as well.
  ///
  /// Places are whole logical pixels: edges lie where those are whole physical ones too, so that every pixel of the buffer
  /// is one of the screen at any scale.
  init?(around ink: PixelRect, in geometry: SurfaceGeometry, hasViewport: Bool, former: SubtitleBox? = nil) {
    guard !ink.size.isEmpty else { return nil }
    let scale120 = hasViewport ? geometry.scale120 : geometry.bufferScale(hasViewport: false) * 120
    // The fewest logical pixels that are a whole number of physical ones.
    let unit = 120 / Self.commonDivisor(scale120, 120)
    let step = unit * max(1, (Self.step + unit - 1) / unit)
    let physicalStep = step * scale120 / 120
    func span(_ start: Int, _ length: Int, within limit: Int) -> (start: Int, length: Int) {
      let first = max(0, start) / physicalStep * step
      let end = min(limit, (start + length + physicalStep - 1) / physicalStep * step)
      return (first, max(1, end - first))
    }
    let across = span(ink.x, ink.width, within: geometry.logicalSize.width)
    let down = span(ink.y, ink.height, within: geometry.logicalSize.height)
    let place = PixelRect(x: across.start, y: down.start, width: across.length, height: down.length)
    let new = SubtitleBox(place: place, scale120: scale120, hasViewport: hasViewport)
    let former = former.flatMap { old in
      let isSame = old == SubtitleBox(place: old.place, scale120: scale120, hasViewport: hasViewport)
      let isLarge = old.place.width * old.place.height > place.width * place.height * Self.leeway
      return isSame && !isLarge && old.place.union(place) == old.place ? old : nil
    }
    self = former ?? new
  }

  private init(place: PixelRect, scale120: Int, hasViewport: Bool) {
    func physical(_ logical: Int) -> (whole: Int, exact: Double) {
      ((logical * scale120 + 119) / 120, Double(logical * scale120) / 120)
    }
    let (width, height) = (physical(place.width), physical(place.height))
    self.place = place
    origin = PixelRect(
      x: place.x * scale120 / 120, y: place.y * scale120 / 120, width: width.whole, height: height.whole)
    // The view's edge may cut a pixel.
    let isWhole = Double(width.whole) == width.exact && Double(height.whole) == height.exact
    source = isWhole ? nil : PictureLayout.Rect(x: 0, y: 0, width: width.exact, height: height.exact)
    destination = hasViewport && scale120 != 120 ? place.size : nil
    bufferScale = hasViewport ? 1 : scale120 / 120
  }

  private static func commonDivisor(_ a: Int, _ b: Int) -> Int { b == 0 ? a : commonDivisor(b, a % b) }
}

extension SubtitleCanvas {
  /// The canvas over a view of `geometry` that shows `frame`; nil when nothing of it would show.
  init?(frame: VideoFrame.Properties, geometry: SurfaceGeometry, hasViewport: Bool) {
    let size = geometry.bufferSize(hasViewport: hasViewport)
    let display = frame.displaySize
    guard let layout = PictureLayout(picture: display, in: size, scaleMode: geometry.scaleMode),
      layout.source.width > 0, layout.source.height > 0
    else { return nil }
    let scaleX = Double(layout.destination.width) / layout.source.width
    let scaleY = Double(layout.destination.height) / layout.source.height
    let picture = PixelRect(
      x: layout.destination.x - Int((layout.source.x * scaleX).rounded()),
      y: layout.destination.y - Int((layout.source.y * scaleY).rounded()),
      width: Int((Double(display.width) * scaleX).rounded()),
      height: Int((Double(display.height) * scaleY).rounded()))
    let stored = frame.crop.size
    self.init(
      size: size, picture: picture, storage: frame.orientation.swapsAxes ? stored.transposed : stored)
  }
}
