import Kite

/// What a key does.
enum KeyBinding: Hashable {
  case playPause, fullscreen, quit, help, loop, loopPart, screenshot, usualSpeed, mute, videoTrack,
    audioTrack,
    subtitleTrack
  /// Files further in the list, or back.
  case file(by: Int)
  /// Seconds further, or back.
  case seek(by: Double)
  /// Pictures further, or back.
  case step(by: Int)
  /// Hundredths of the full volume more, or less.
  case volume(by: Int)
  /// Tenths of a second by which subtitles come later, or earlier.
  case subtitleDelay(by: Int)
  /// Tenths of the usual speed more, or less.
  case speed(by: Int)

  /// The meaning of a key; nil for one without any.
  init?(_ key: KeyEvent) {
    guard key.action != .released, key.modifiers.isDisjoint(with: [.control, .alt, .logo]) else {
      return nil
    }
    guard let binding = Self.moving(key) ?? Self.acting(key) else { return nil }
    // A key that is held goes on through the film; it doesn't play and pause thirty times a second.
    guard key.action == .pressed || binding.repeats else { return nil }
    self = binding
  }

  private var repeats: Bool {
    switch self {
    case .seek, .step, .speed, .volume, .subtitleDelay: true
    default: false
    }
  }

  private static func moving(_ key: KeyEvent) -> KeyBinding? {
    let arrow = key.modifiers.contains(.shift) ? 1.0 : 5
    switch key.keysym {
    case .left: return .seek(by: -arrow)
    case .right: return .seek(by: arrow)
    case .pageUp: return .seek(by: 60)
    case .pageDown: return .seek(by: -60)
    case Keysym(","): return .step(by: -1)
    case Keysym("."): return .step(by: 1)
    case Keysym("["): return .speed(by: -1)
    case Keysym("]"): return .speed(by: 1)
    case Keysym("z"): return .subtitleDelay(by: -1)
    case Keysym("x"): return .subtitleDelay(by: 1)
    case Keysym("9"): return .volume(by: -5)
    case Keysym("0"): return .volume(by: 5)
    default: return nil
    }
  }

  private static func acting(_ key: KeyEvent) -> KeyBinding? {
    switch key.keysym {
    case .space, .mediaPlay: .playPause
    case Keysym("f"), .f11: .fullscreen
    case Keysym("q"), .escape: .quit
    case Keysym(">"): .file(by: 1)
    case Keysym("<"): .file(by: -1)
    case Keysym("l"): .loop
    case Keysym("L"): .loopPart
    case Keysym("m"): .mute
    case Keysym("v"): .videoTrack
    case Keysym("a"): .audioTrack
    case Keysym("j"): .subtitleTrack
    case Keysym("s"): .screenshot
    case .backSpace: .usualSpeed
    case Keysym("?"): .help
    default: nil
    }
  }

  /// What the keys are, as `?` and `--help` print it.
  static let table = """
    Keys:
      space, click       play, pause
      left, right        5 s back, further; with shift 1 s
      page down, up      60 s back, further
      < >                the file before, the next one
      , .                one picture back, further
      [ ]                slower, faster; backspace: the usual speed
      9 0, wheel         quieter, louder; m: mute
      v                  the next video track, or none
      a                  the next audio track, or none
      j                  the next subtitle track, or none
      z x                subtitles 0.1 s earlier, later
      l                  play the file over and over
      L                  begin a part to play over and over; end it; play all again
      s                  save the picture as a PNG file in the current folder
      f, double click    fullscreen
      ?                  print this
      q, escape          quit
    """
}
