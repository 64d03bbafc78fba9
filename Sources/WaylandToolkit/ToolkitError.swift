public import KiteSystem
public import Wayland

/// What can go wrong in the toolkit.
public enum ToolkitError: Error, Equatable, Sendable {
  /// The connection could not be made, or it died.
  case connection(WaylandError)
  /// The compositor does not offer an interface that is needed now.
  case missingGlobal(interface: String, lost: String)
  /// The system refused something.
  case system(SystemError)
  /// What was to be used has been closed before.
  case closed
}

extension ToolkitError: CustomStringConvertible {
  /// One line: what happened, and what to do where something can be done.
  public var description: String {
    switch self {
    case .connection(let error): error.description
    case .missingGlobal(let interface, let lost):
      "the compositor does not offer \(interface): \(lost). Use a compositor that has it."
    case .system(let error): error.description
    case .closed: "the connection was closed before"
    }
  }
}
