import Wayland
import WaylandToolkit

/// Fills a window with one colour, and a subsurface in its middle with another.
@MainActor
final class ColorContent: WindowContent {
  var onFirstFrame: (() -> Void)?
  private let color: SolidColor
  private let subsurfaceColor: SolidColor?
  private var viewport: WpViewport?
  private var pool: ShmPool?
  private var subsurface: Subsurface?
  private var subsurfacePool: ShmPool?
  private var isFirst = true

  init(_ color: String, subsurface: String?) {
    self.color = SolidColor(hex: color)
    subsurfaceColor = subsurface.map { SolidColor(hex: $0) }
  }

  func window(_ window: Window, draw geometry: WindowGeometry) {
    print(
      "draw \(geometry.size.width)x\(geometry.size.height) \(geometry.scale120) \(geometry.state.rawValue)")
    do {
      try drawBackground(window, geometry)
      if let subsurfaceColor { try drawSubsurface(window, geometry, subsurfaceColor) }
    } catch { print("error \(error)") }
    guard isFirst else { return }
    isFirst = false
    window.surface.frame().onEvent = { [weak self] _ in self?.onFirstFrame?() }
  }

  func windowWillHide(_ window: Window) {
    print("hidden")
    isFirst = true
  }

  /// Ends what it made, before the window and the connection end.
  func close() {
    subsurface?.close()
    subsurfacePool?.close()
    pool?.close()
    if viewport?.isAlive == true { viewport?.destroy() }
  }

  private func drawBackground(_ window: Window, _ geometry: WindowGeometry) throws(ToolkitError) {
    let (width, height) = (geometry.size.width, geometry.size.height)
    if let viewporter = window.connection.viewporter {
      if viewport == nil { viewport = viewporter.getViewport(window.surface) }
      window.surface.attach(try window.connection.makeBuffer(of: color), x: 0, y: 0)
      viewport?.setDestination(width: Int32(width), height: Int32(height))
    } else {
      pool?.close()
      pool = try ShmPool(window.connection, width: width, height: height, count: 1)
      attach(pool, color, to: window.surface)
    }
    window.surface.damage(x: 0, y: 0, width: .max, height: .max)
  }

  private func drawSubsurface(
    _ window: Window, _ geometry: WindowGeometry, _ color: SolidColor
  ) throws(ToolkitError) {
    let (width, height) = (geometry.size.width / 2, geometry.size.height / 2)
    if subsurface == nil { subsurface = try Subsurface(window.connection, parent: window.surface) }
    guard let subsurface else { return }
    subsurfacePool = try ShmPool(window.connection, width: width, height: height, count: 1)
    subsurface.setPosition(x: width / 2, y: height / 2)
    attach(subsurfacePool, color, to: subsurface.surface)
    subsurface.surface.damage(x: 0, y: 0, width: .max, height: .max)
    subsurface.surface.commit()
  }

  private func attach(_ pool: ShmPool?, _ color: SolidColor, to surface: WlSurface) {
    guard let buffer = pool?.next() else { return }
    buffer.fill(0xff00_0000 | UInt32(color.red) << 16 | UInt32(color.green) << 8 | UInt32(color.blue))
    surface.attach(buffer.proxy, x: 0, y: 0)
    buffer.markBusy()
  }
}

extension SolidColor {
  /// A colour written as RRGGBB.
  fileprivate init(hex: String) {
    let value = UInt32(hex, radix: 16) ?? 0
    self.init(red: UInt8(value >> 16 & 0xff), green: UInt8(value >> 8 & 0xff), blue: UInt8(value & 0xff))
  }
}
