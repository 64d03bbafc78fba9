/// A service that keeps the display awake when it is asked to: how it is asked, and how it is told to stop.
struct InhibitService: Sendable {
  /// Its name on the bus.
  let name: String
  /// Asks it; `application` and `reason` may be shown to the user.
  let ask: @Sendable (_ application: String, _ reason: String) -> BusCall
  /// Takes back what an answer to that granted; nil when the answer is none.
  let undo: @Sendable (_ token: BusValue) -> BusCall?
  /// The signal of the granted object that tells of a refusal that comes later; nil where there is none.
  let lateAnswer: (interface: String, member: String)?

  /// What is tried, in this order. The portal works in a sandbox too, and shows what is inhibited and why.
  static let all = [portal, screenSaver]

  /// `org.freedesktop.portal.Inhibit`: the answer is an object that is closed.
  static let portal = InhibitService(
    name: "org.freedesktop.portal.Desktop",
    ask: { _, reason in
      // 8: the session must not become idle. No window is named: that takes a handle of a protocol of its own.
      BusCall(
        destination: "org.freedesktop.portal.Desktop", path: "/org/freedesktop/portal/desktop",
        interface: "org.freedesktop.portal.Inhibit", member: "Inhibit",
        arguments: [.string(""), .uint32(8), .options(["reason": .string(reason)])])
    },
    undo: { token in
      guard case .path(let request) = token else { return nil }
      return BusCall(
        destination: "org.freedesktop.portal.Desktop", path: request,
        interface: "org.freedesktop.portal.Request", member: "Close", startsService: false)
    },
    lateAnswer: ("org.freedesktop.portal.Request", "Response"))

  /// `org.freedesktop.ScreenSaver`: the answer is a number that is handed back.
  static let screenSaver = InhibitService(
    name: "org.freedesktop.ScreenSaver",
    ask: { application, reason in
      BusCall(
        destination: "org.freedesktop.ScreenSaver", path: "/org/freedesktop/ScreenSaver",
        interface: "org.freedesktop.ScreenSaver", member: "Inhibit",
        arguments: [.string(application), .string(reason)])
    },
    undo: { token in
      guard case .uint32 = token else { return nil }
      return BusCall(
        destination: "org.freedesktop.ScreenSaver", path: "/org/freedesktop/ScreenSaver",
        interface: "org.freedesktop.ScreenSaver", member: "UnInhibit", arguments: [token],
        startsService: false)
    },
    lateAnswer: nil)
}
