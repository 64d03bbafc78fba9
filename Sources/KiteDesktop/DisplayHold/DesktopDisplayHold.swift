internal import CSystemd
public import KiteViews

/// Keeps the display awake by asking the desktop over D-Bus: its portal, else its screen saver.
///
/// For compositors without `zwp_idle_inhibit_manager_v1`. The bus is not looked for before the first hold. Nothing here
/// blocks, and nothing has to be there: without a bus, or without a service on it, the display sleeps as it likes.
public final class DesktopDisplayHold: DisplayHoldMechanism, Sendable {
  /// How long a service may take to answer before the next one is asked, in nanoseconds: a portal may have to be started
  /// first.
  static let patience: Int64 = 10_000_000_000

  private let inhibitor: Resident<BusInhibitor>

  /// A mechanism that has nothing in hand.
  ///
  /// - Parameter reason: what the user may be shown as the reason, in the user's language.
  public convenience init(reason: String = "Playing video") {
    self.init(reason: reason, address: nil, thread: .shared)
  }

  init(
    reason: String, address: String?, thread: DesktopThread?, timeout: Int64 = DesktopDisplayHold.patience
  ) {
    let name = String(cString: kite_program_name())
    inhibitor = Resident(on: thread) { loop in
      BusInhibitor(on: loop, address: address, application: name, reason: reason, timeout: timeout)
    }
  }

  deinit { inhibitor.end { $0.end() } }

  /// Asks for it, unless it was asked for already. Any thread.
  nonisolated public func hold() { inhibitor.use { $0.hold() } }

  /// Takes it back; what a service grants only now, too. Any thread.
  nonisolated public func letGo() { inhibitor.use { $0.letGo() } }
}
