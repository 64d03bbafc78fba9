import Kite

/// What a key does.
enum KeyBinding {
  case playPause, fullscreen, quit

  /// The meaning of a key; nil for one without any.
  init?(_ key: KeyEvent) {
    guard key.action == .pressed, key.modifiers.isDisjoint(with: [.control, .alt, .logo]) else { return nil }
    switch key.keysym {
    case .space, .mediaPlay: self = .playPause
    case Keysym("f"), .f11: self = .fullscreen
    case Keysym("q"), .escape: self = .quit
    default: return nil
    }
  }
}
