/// One object of those that assistive technology sees. Numbers are never given twice.
enum AccessibleNode: Hashable {
  case application
  case window(Int)
  case video(Int)
  /// The position of the video with this number.
  case slider(Int)

  private static let root = "/org/a11y/atspi/accessible/"

  /// Its path on the bus. The application's is known to everybody.
  var path: String {
    switch self {
    case .application: Self.root + "root"
    case .window(let number): Self.root + "window/\(number)"
    case .video(let number): Self.root + "video/\(number)"
    case .slider(let number): Self.root + "slider/\(number)"
    }
  }

  /// The node at a path; nil for none, whether or not it exists any more.
  init?(path: String) {
    guard path.hasPrefix(Self.root) else { return nil }
    let words = path.dropFirst(Self.root.count).split(separator: "/", omittingEmptySubsequences: false)
    if words == ["root"] {
      self = .application
      return
    }
    guard words.count == 2, let number = Int(words[1]) else { return nil }
    switch words[0] {
    case "window": self = .window(number)
    case "video": self = .video(number)
    case "slider": self = .slider(number)
    default: return nil
    }
  }

  /// `AtspiRole`, and its name.
  var role: (number: UInt32, name: String) {
    switch self {
    case .application: (75, "application")
    case .window: (23, "frame")
    case .video: (107, "video")
    case .slider: (51, "slider")
    }
  }

  /// What it can be asked, beside `org.freedesktop.DBus.Properties`.
  var interfaces: [String] {
    switch self {
    case .application: [AtspiName.accessible, AtspiName.application]
    case .window: [AtspiName.accessible, AtspiName.component]
    case .video: [AtspiName.accessible, AtspiName.component, AtspiName.action]
    case .slider: [AtspiName.accessible, AtspiName.component, AtspiName.value]
    }
  }
}

/// Names of AT-SPI's on the bus.
enum AtspiName {
  static let accessible = "org.a11y.atspi.Accessible"
  static let application = "org.a11y.atspi.Application"
  static let component = "org.a11y.atspi.Component"
  static let action = "org.a11y.atspi.Action"
  static let value = "org.a11y.atspi.Value"
  static let cache = "org.a11y.atspi.Cache"
  static let objectEvent = "org.a11y.atspi.Event.Object"
  static let windowEvent = "org.a11y.atspi.Event.Window"
  static let properties = "org.freedesktop.DBus.Properties"
  static let cachePath = "/org/a11y/atspi/cache"
  static let nullPath = "/org/a11y/atspi/null"
}

/// `AtspiStateType`: what is true of an object, as numbers of bits.
struct AtspiStates: OptionSet, Hashable {
  let rawValue: UInt64

  static let active = AtspiStates(rawValue: 1 << 1)
  static let busy = AtspiStates(rawValue: 1 << 3)
  static let enabled = AtspiStates(rawValue: 1 << 8)
  static let focusable = AtspiStates(rawValue: 1 << 11)
  static let focused = AtspiStates(rawValue: 1 << 12)
  static let horizontal = AtspiStates(rawValue: 1 << 14)
  static let sensitive = AtspiStates(rawValue: 1 << 24)
  static let showing = AtspiStates(rawValue: 1 << 25)
  static let visible = AtspiStates(rawValue: 1 << 30)
  static let animated = AtspiStates(rawValue: 1 << 35)
  static let readOnly = AtspiStates(rawValue: 1 << 43)

  /// Those whose changes are told, with their names in events.
  static let told: [(state: AtspiStates, name: String)] = [
    (.active, "active"), (.busy, "busy"), (.focused, "focused"), (.sensitive, "sensitive"),
    (.showing, "showing"), (.animated, "animated"),
  ]

  /// As two words of 32 bits, the lower one first.
  var words: BusValue {
    .array(
      of: "u",
      [.uint32(UInt32(truncatingIfNeeded: rawValue)), .uint32(UInt32(truncatingIfNeeded: rawValue >> 32))])
  }
}
