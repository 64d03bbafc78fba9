import Kite

/// What a key does.
enum KeyBinding {
  case playPause, fullscreen, quit

  /// The meaning of a key; nil for one without any.
  init?(_ key: KeyEvent) {
    guard key.isPressed, !key.isRepeat else { return nil }
    switch key.keysym {
    case .space: self = .playPause
    case .f: self = .fullscreen
    case .q, .escape: self = .quit
    default: return nil
    }
  }
}
