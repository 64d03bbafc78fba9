import Foundation
import KiteSystem

/// A value behind a lock, to be shared.
final class ServerBox<Value: Sendable>: Sendable {
  private let value: Locked<Value>
  init(_ value: Value) { self.value = Locked(value) }
  func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    value.withLock { value in body(&value) }
  }
}

/// What the threads of a server share at the least.
protocol ServerState: Sendable {
  var isStopping: Bool { get set }
  /// Connections that are being served.
  var connections: Int { get set }
}

extension ServerBox where Value: ServerState {
  /// Accepts until the server stops, and has each connection served on a thread of its own. Ends `listener`.
  func accept(_ listener: Int32, _ serve: @escaping @Sendable (Int32) -> Void) {
    defer { close(listener) }
    while !withLock({ $0.isStopping }) {
      var request = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
      guard poll(&request, 1, 20) > 0 else { continue }
      let connection = Foundation.accept(listener, nil, nil)
      guard connection >= 0 else { continue }
      _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
      withLock { $0.connections += 1 }
      Thread.detachNewThread {
        serve(connection)
        close(connection)
        self.withLock { $0.connections -= 1 }
      }
    }
  }
}
