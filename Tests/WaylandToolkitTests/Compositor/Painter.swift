import Wayland
import WaylandToolkit

/// Content that attaches one buffer a drawing and remembers what for.
@MainActor
final class Painter: WindowContent {
  private(set) var drawn: [WindowGeometry] = []
  private(set) var hidden = 0
  private var pool: ShmPool?
  var whenDrawing: ((Window) -> Void)?

  func window(_ window: Window, draw geometry: WindowGeometry) {
    drawn.append(geometry)
    pool = try? ShmPool(
      window.connection, width: geometry.size.width, height: geometry.size.height, count: 1)
    if let buffer = pool?.next() { window.surface.attach(buffer.proxy, x: 0, y: 0) }
    whenDrawing?(window)
  }

  func windowWillHide(_ window: Window) { hidden += 1 }
}
