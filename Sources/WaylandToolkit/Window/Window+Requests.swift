internal import Wayland

extension Window {
  /// The title, for title bars and lists of windows.
  public var title: String {
    get { wishes.title }
    set {
      wishes.title = newValue
      role?.toplevel.setTitle(newValue)
    }
  }

  /// Asks for fullscreen on an output of the compositor's choice, or on `output`; or for the end of it. The
  /// answer is a new geometry, if there is one: compositors may refuse.
  public func setFullscreen(_ isFullscreen: Bool, on output: Output? = nil) {
    wishes.isFullscreen = isFullscreen
    guard let toplevel = role?.toplevel else { return }
    if isFullscreen {
      toplevel.setFullscreen(output.flatMap { $0.proxy.isAlive ? $0.proxy : nil })
    } else {
      toplevel.unsetFullscreen()
    }
  }

  /// Whether it is shown fullscreen, as far as the compositor has said.
  public var isFullscreen: Bool { geometry?.state.contains(.fullscreen) ?? false }

  /// Asks to fill the space for windows, or for the end of it.
  public func setMaximized(_ isMaximized: Bool) {
    wishes.isMaximized = isMaximized
    guard let toplevel = role?.toplevel else { return }
    if isMaximized { toplevel.setMaximized() } else { toplevel.unsetMaximized() }
  }

  /// Asks to be put aside. Compositors don't say whether they did.
  public func minimize() { role?.toplevel.setMinimized() }

  /// Takes another size, in logical pixels, where the compositor leaves the choice to the window.
  public func resize(_ size: LogicalSize) {
    configure.resize(size)
    scheduleUpdate()
  }

  /// Lets the user drag the window: in answer to a press of a button, whose seat and serial these are.
  public func startMove(_ seat: Seat, serial: UInt32) {
    role?.toplevel.move(seat.proxy, serial: serial)
  }
}
