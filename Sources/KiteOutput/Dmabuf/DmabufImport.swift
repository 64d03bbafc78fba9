import KiteSystem

/// How far the import of one memory is. Whether a combination works is only known by trying: nothing is committed that
/// the compositor has not said yes to.
struct DmabufImport: Hashable {
  /// How long an answer is waited for before the frame takes another path, in nanoseconds. A late yes still counts.
  static let patience: Int64 = 500_000_000

  private enum State: Hashable {
    case asked(since: MonotonicTime)
    case made
    case refused
  }

  private var state: State

  /// The compositor was asked.
  init(askedAt now: MonotonicTime) { state = .asked(since: now) }

  /// `created` came.
  mutating func created() { if case .asked = state { state = .made } }

  /// `failed` came.
  mutating func failed() { if case .asked = state { state = .refused } }

  /// Whether frames may be shown with it.
  var isMade: Bool { state == .made }
  /// Whether the compositor said no.
  var isRefused: Bool { state == .refused }

  /// Until when an answer is to be waited for; nil when there is one, or it has been too long.
  func deadline(at now: MonotonicTime) -> MonotonicTime? {
    guard case .asked(let since) = state, now < since + Self.patience else { return nil }
    return since + Self.patience
  }
}
