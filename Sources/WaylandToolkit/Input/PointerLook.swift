internal import Wayland

/// Draws a pointer's cursor: by name where the compositor knows the names (cursor-shape-v1), else from the
/// user's cursor theme.
@MainActor
final class PointerLook {
  private let pointer: WlPointer
  private weak var connection: Connection?
  private var device: WpCursorShapeDeviceV1?
  private var surface: WlSurface?
  private var scale: SurfaceScale?
  private var serial: UInt32?
  private var cursor = Cursor.default

  init(_ pointer: WlPointer, connection: Connection) {
    self.pointer = pointer
    self.connection = connection
  }

  /// The pointer came to a surface of ours, which proves that we may change its look.
  func entered(serial: UInt32) { self.serial = serial }

  /// The pointer's look is somebody else's business now.
  func left() { serial = nil }

  func show(_ cursor: Cursor) {
    self.cursor = cursor
    guard let serial, pointer.isAlive else { return }
    if cursor == .hidden {
      pointer.setCursor(serial: serial, surface: nil, hotspotX: 0, hotspotY: 0)
    } else if let device = shapeDevice {
      device.setShape(serial: serial, shape: cursor == .pointer ? .pointer : .default)
    } else {
      drawFromTheme(cursor, serial: serial)
    }
  }

  func end() {
    serial = nil
    if let device, device.isAlive { device.destroy() }
    scale?.close()
    if let surface, surface.isAlive { surface.destroy() }
  }

  private var shapeDevice: WpCursorShapeDeviceV1? {
    if device == nil {
      device = connection?.global(WpCursorShapeManagerV1.self, versions: 1...1)?.getPointer(pointer)
    }
    return device
  }

  private func drawFromTheme(_ cursor: Cursor, serial: UInt32) {
    guard let surface = cursorSurface else { return }
    // Rounded up: a cursor that is scaled down is sharp, one that is scaled up is not.
    let wanted = ((scale?.scale120 ?? 120) + 119) / 120
    guard let image = connection?.cursorImage(cursor, scale: max(1, wanted)) else {
      // No theme: whatever the compositor showed stays, which is better than nothing.
      return
    }
    surface.setBufferScale(Int32(image.scale))
    surface.attach(image.buffer, x: 0, y: 0)
    surface.damage(x: 0, y: 0, width: .max, height: .max)
    surface.commit()
    pointer.setCursor(
      serial: serial, surface: surface, hotspotX: Int32(image.hotspotX), hotspotY: Int32(image.hotspotY))
  }

  private var cursorSurface: WlSurface? {
    if surface == nil, let connection, let made = try? connection.compositor.createSurface() {
      guard made.supports(3) else {
        // Without buffer scales there is only scale 1.
        surface = made
        return made
      }
      surface = made
      let scale = SurfaceScale(made, of: connection)
      scale.onChange = { [weak self] in
        guard let self, serial != nil else { return }
        show(cursor)
      }
      self.scale = scale
    }
    return surface
  }
}
