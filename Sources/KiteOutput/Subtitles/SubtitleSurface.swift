import KiteCore
import KiteViews
import Wayland

/// The surface of the subtitles, inside of the video's and above it. It exists only while there is something to see.
///
/// It is synchronized: what is committed on it waits for the next commit of the video surface, and is shown with that. Its
/// place is the video surface's state, and so changes in the same step.
final class SubtitleSurface {
  private let surface: WlSurface
  private let role: WlSubsurface
  private let viewport: WpViewport?
  private var placed: (x: Int, y: Int)?
  private var applied: SubtitleBox?
  private var ink = PixelRect.zero

  /// Puts it inside of `video`.
  init(
    in video: WlSurface, compositor: WlCompositor, subcompositor: WlSubcompositor, viewporter: WpViewporter?
  ) {
    surface = compositor.createSurface()
    role = subcompositor.getSubsurface(surface, parent: video)
    viewport = viewporter?.getViewport(surface)
    // It takes no input: pointer and touch go to what is below.
    let nowhere = compositor.createRegion()
    surface.setInputRegion(nowhere)
    nowhere.destroy()
  }

  /// Shows `buffer`, with the video surface's next commit. `ink` is where it isn't clear.
  func show(_ buffer: PresentedBuffer, box: SubtitleBox, ink: PixelRect) {
    if let viewport {
      if applied?.source != box.source { SurfaceState.setSource(box.source, of: viewport) }
      if applied?.destination != box.destination {
        viewport.setDestination(
          width: box.destination.map { Int32(clamping: $0.width) } ?? -1,
          height: box.destination.map { Int32(clamping: $0.height) } ?? -1)
      }
    }
    if (applied?.bufferScale ?? 1) != box.bufferScale {
      surface.setBufferScale(Int32(clamping: box.bufferScale))
    }
    surface.attach(buffer.wlBuffer, x: 0, y: 0)
    if applied == box, surface.supports(4) {
      // What was there goes, what is there comes; the rest is clear in both.
      damage(self.ink)
      damage(ink)
    } else {
      surface.damage(x: 0, y: 0, width: .max, height: .max)
    }
    surface.commit()
    applied = box
    self.ink = ink
  }

  private func damage(_ part: PixelRect) {
    surface.damageBuffer(
      x: Int32(clamping: part.x), y: Int32(clamping: part.y), width: Int32(clamping: part.width),
      height: Int32(clamping: part.height))
  }

  /// Puts it where its box is in the view, with the video surface's next commit, which is at `video` of the view.
  func place(over video: PixelRect) {
    guard let box = applied else { return }
    let (x, y) = (box.place.x - video.x, box.place.y - video.y)
    if let placed, placed == (x, y) { return }
    placed = (x, y)
    role.setPosition(x: Int32(clamping: x), y: Int32(clamping: y))
  }

  /// Takes the content off, with the video surface's next commit. `destroy` follows.
  func clear() {
    surface.attach(nil, x: 0, y: 0)
    surface.commit()
  }

  /// Ends it: what it showed is gone at once.
  func destroy() {
    role.destroy()
    if let viewport, viewport.isAlive { viewport.destroy() }
    surface.destroy()
  }
}
