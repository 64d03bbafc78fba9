import Wayland
import WaylandToolkit

/// What one view has its hands on while it keeps the display awake. Ended by `letGo`, once.
@MainActor
enum DisplayHoldGrip {
  /// On the surface that shows the pictures: each has one of its own, and the compositor counts.
  case inhibitor(ZwpIdleInhibitorV1)
  /// One of the process's holds on a mechanism.
  case shared(any DisplayHoldMechanism)

  /// How many views hold on to each mechanism, over the whole process.
  private(set) static var counts: [ObjectIdentifier: Int] = [:]

  /// The best that there is for `surface`: nil when the display can't be kept awake.
  static func take(_ connection: Connection, _ surface: WlSurface?) -> DisplayHoldGrip? {
    if let manager = connection.idleInhibit {
      guard connection.isAlive, let surface, surface.isAlive else { return nil }
      defer { connection.flush() }
      return .inhibitor(manager.createInhibitor(surface))
    }
    guard let mechanism = PlayerViewDefaults.displayHoldMechanism else { return nil }
    let count = counts[ObjectIdentifier(mechanism), default: 0]
    counts[ObjectIdentifier(mechanism)] = count + 1
    if count == 0 { mechanism.hold() }
    return .shared(mechanism)
  }

  /// Gives it back.
  func letGo() {
    switch self {
    case .inhibitor(let inhibitor):
      // It ended by itself when the connection did.
      if inhibitor.isAlive { inhibitor.destroy() }
    case .shared(let mechanism):
      guard let count = Self.counts[ObjectIdentifier(mechanism)] else { return }
      Self.counts[ObjectIdentifier(mechanism)] = count > 1 ? count - 1 : nil
      if count == 1 { mechanism.letGo() }
    }
  }
}
