internal import CSystemd
public import KiteViews

/// Shows the views of the process to screen readers and other assistive technology, over AT-SPI.
///
/// It follows the session's `org.a11y.Status.IsEnabled`: nothing but that is asked for while there is no assistive
/// technology, and views appear as soon as there is. Clients are answered from a thread of its own, also while the main
/// thread is busy. Nothing here blocks, and nothing has to be there.
public final class DesktopAccessibility: AccessibilityBridge, Sendable {
  private let service: Resident<AccessibilityService>

  /// A bridge that carries no view yet. The bus is not looked for before the first.
  public convenience init() { self.init(address: nil, thread: .shared) }

  init(address: String?, thread: DesktopThread?) {
    let name = String(cString: kite_program_name())
    service = Resident(on: thread) { loop in
      AccessibilityService(on: loop, address: address, applicationName: name)
    }
  }

  deinit { service.end { $0.end() } }

  /// A view is new, or has changed. Any thread.
  nonisolated public func publish(_ view: AccessibleView, of id: ObjectIdentifier) {
    service.use { $0.publish(view, of: id) }
  }

  /// A view is gone. Any thread.
  nonisolated public func withdraw(_ id: ObjectIdentifier) { service.use { $0.withdraw(id) } }
}
