internal import CWaylandCursor
internal import Glibc
internal import Wayland

/// One picture of a cursor.
struct CursorImage {
  let buffer: WlBuffer
  /// Pixels of the buffer per logical pixel.
  let scale: Int
  /// Where it points, in logical pixels.
  let hotspotX: Int
  let hotspotY: Int
}

/// The user's cursor theme at one scale, from libwayland-cursor. Its buffers end with it.
@MainActor
final class CursorTheme {
  let scale: Int
  private let theme: OpaquePointer
  private let queue: EventQueue

  /// `XCURSOR_THEME` and `XCURSOR_SIZE` say which; nil when libwayland-cursor can't make one.
  init?(scale: Int, shm: WlShm, queue: EventQueue) {
    let asked = getenv("XCURSOR_SIZE").flatMap { Int(String(cString: $0)) } ?? 0
    let size = (1...256).contains(asked) ? asked : 24
    guard let shm = shm.rawPointer,
      let theme = wl_cursor_theme_load(
        getenv("XCURSOR_THEME"), Int32(size * max(1, scale)), OpaquePointer(shm))
    else { return nil }
    self.theme = theme
    self.scale = scale
    self.queue = queue
  }

  isolated deinit { wl_cursor_theme_destroy(theme) }

  /// The first picture of the first of these cursors that the theme has.
  func image(_ names: [String]) -> CursorImage? {
    for name in names {
      guard let cursor = wl_cursor_theme_get_cursor(theme, name), cursor.pointee.image_count > 0,
        let image = cursor.pointee.images?[0], let buffer = wl_cursor_image_get_buffer(image)
      else { continue }
      // A buffer whose sides are no multiple of its scale is a protocol error.
      let (width, height) = (Int(image.pointee.width), Int(image.pointee.height))
      let scale = width % scale == 0 && height % scale == 0 ? scale : 1
      return CursorImage(
        buffer: queue.wrap(foreign: UnsafeMutableRawPointer(buffer), as: WlBuffer.self), scale: scale,
        hotspotX: Int(image.pointee.hotspot_x) / scale, hotspotY: Int(image.pointee.hotspot_y) / scale)
    }
    return nil
  }
}

extension Connection {
  /// A cursor's picture in the user's theme, which is read when the first one is wanted.
  func cursorImage(_ cursor: Cursor, scale: Int) -> CursorImage? {
    if cursorTheme?.scale != scale {
      guard let shm = try? shm else { return nil }
      cursorTheme = CursorTheme(scale: scale, shm: shm, queue: queue)
    }
    // The second names are those of themes from before the names of CSS.
    let names = cursor == .pointer ? ["pointer", "hand2", "hand1"] : ["default", "left_ptr"]
    return cursorTheme?.image(names)
  }
}
