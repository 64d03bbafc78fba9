/// A key's meaning under the user's layout: an X keysym.
public struct Keysym: RawRepresentable, Hashable, Sendable {
  /// The keysym's number.
  public let rawValue: UInt32
  /// Wraps a keysym's number.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The key of an ASCII or Latin-1 character, whose keysym is its code.
  public init(_ character: Unicode.Scalar) { rawValue = character.value }

  /// Space bar.
  public static let space = Keysym(rawValue: 0x20)
  /// Escape.
  public static let escape = Keysym(rawValue: 0xff1b)
  /// Backspace.
  public static let backSpace = Keysym(rawValue: 0xff08)
  /// Return.
  public static let `return` = Keysym(rawValue: 0xff0d)
  /// Tabulator.
  public static let tab = Keysym(rawValue: 0xff09)
  /// Arrow to the left.
  public static let left = Keysym(rawValue: 0xff51)
  /// Arrow up.
  public static let up = Keysym(rawValue: 0xff52)
  /// Arrow to the right.
  public static let right = Keysym(rawValue: 0xff53)
  /// Arrow down.
  public static let down = Keysym(rawValue: 0xff54)
  /// Page up.
  public static let pageUp = Keysym(rawValue: 0xff55)
  /// Page down.
  public static let pageDown = Keysym(rawValue: 0xff56)
  /// Home.
  public static let home = Keysym(rawValue: 0xff50)
  /// End.
  public static let end = Keysym(rawValue: 0xff57)
  /// F11.
  public static let f11 = Keysym(rawValue: 0xffc8)
  /// The media key that plays and pauses.
  public static let mediaPlay = Keysym(rawValue: 0x1008_ff14)
}

/// Keys that are held together with another.
public struct KeyModifiers: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  /// Wraps bits of the modifiers below.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// Shift.
  public static let shift = KeyModifiers(rawValue: 1)
  /// Control.
  public static let control = KeyModifiers(rawValue: 2)
  /// Alt (`Mod1`).
  public static let alt = KeyModifiers(rawValue: 4)
  /// The logo key (`Mod4`).
  public static let logo = KeyModifiers(rawValue: 8)
}

/// A key that went down, repeats while it is held, or went up.
public struct KeyEvent: Hashable, Sendable {
  /// What happened to the key.
  public enum Action: Hashable, Sendable { case pressed, repeated, released }

  /// What happened.
  public var action: Action
  /// The key's meaning under the user's layout and the modifiers.
  public var keysym: Keysym
  /// What the key types; empty for keys that type nothing, and when it goes up.
  public var text: String
  /// What is held beside it.
  public var modifiers: KeyModifiers
  /// The key's place on the keyboard (`KEY_…` of linux/input-event-codes.h), whatever the layout.
  public var code: UInt32
  /// For requests that want proof of the user's doing; that of the press for a repeat.
  public var serial: UInt32
}
