internal import Wayland

/// What a program asks of its window, kept for when the window is shown again.
struct WindowWishes {
  var title: String
  var appID: String
  var minimumSize: LogicalSize
  var isFullscreen = false
  var isMaximized = false
}

/// The objects that make a surface a window, from `show` to `hide`; they end in the order that the protocol
/// wants.
@MainActor
final class WindowRole {
  enum Event {
    case toplevel(XdgToplevel.Event)
    case decoration(ZxdgToplevelDecorationV1.Mode)
    case configured(serial: UInt32)
  }

  let toplevel: XdgToplevel
  private let xdgSurface: XdgSurface
  private let decoration: ZxdgToplevelDecorationV1?

  /// The surface must have no buffer. Nothing is committed here.
  init(
    _ shell: XdgWmBase, _ surface: WlSurface, _ wishes: WindowWishes, decorations: ZxdgDecorationManagerV1?,
    onEvent: @escaping (Event) -> Void
  ) {
    xdgSurface = shell.getXdgSurface(surface)
    toplevel = xdgSurface.getToplevel()
    decoration = decorations?.getToplevelDecoration(toplevel)
    xdgSurface.onEvent = { event in
      if case .configure(let serial) = event { onEvent(.configured(serial: serial)) }
    }
    toplevel.onEvent = { onEvent(.toplevel($0)) }
    decoration?.onEvent = { event in
      if case .configure(let mode) = event { onEvent(.decoration(mode)) }
    }
    toplevel.setTitle(wishes.title)
    toplevel.setAppId(wishes.appID)
    toplevel.setMinSize(width: Int32(wishes.minimumSize.width), height: Int32(wishes.minimumSize.height))
    decoration?.setMode(.serverSide)
    if wishes.isMaximized { toplevel.setMaximized() }
    if wishes.isFullscreen { toplevel.setFullscreen(nil) }
  }

  func ack(_ serial: UInt32) { xdgSurface.ackConfigure(serial) }

  func setGeometry(_ size: LogicalSize) {
    xdgSurface.setWindowGeometry(x: 0, y: 0, width: Int32(size.width), height: Int32(size.height))
  }

  func end() {
    if let decoration, decoration.isAlive { decoration.destroy() }
    if toplevel.isAlive { toplevel.destroy() }
    if xdgSurface.isAlive { xdgSurface.destroy() }
  }
}
