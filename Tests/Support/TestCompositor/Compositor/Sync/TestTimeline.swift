internal import Glibc
public import KiteSystem

/// A timeline that no device makes: what a DRM syncobj is for a client and this compositor, in the same process. Both sides
/// know it by a descriptor.
///
/// Used by any thread.
public final class TestTimeline: Sendable {
  private struct State: ~Copyable {
    var reached: UInt64 = 0
    /// Duplicates of eventfds, by the point that they wait for.
    var watches: [(point: UInt64, event: Int32)] = []
  }

  /// Every living one, by the file that its descriptors lead to.
  private static let living = Locked<[MemoryIdentity: Reference]>([:])

  private struct Reference: Sendable {
    weak let timeline: TestTimeline?
  }

  private let file: SharedMemory
  private let identity: MemoryIdentity
  private let state = Locked(State())

  /// A timeline at point 0.
  public init() throws(SystemError) {
    file = try SharedMemory(byteCount: 1, name: "test-timeline")
    guard let identity = MemoryIdentity(descriptor: file.descriptor) else {
      throw SystemError(call: "fstat", subject: "looking at a timeline")
    }
    self.identity = identity
    let reference = Reference(timeline: self)
    Self.living.withLock { $0[identity] = reference }
  }

  deinit {
    let identity = identity
    Self.living.withLock { $0[identity] = nil }
    state.withLock { for watch in $0.watches { close(watch.event) } }
  }

  /// The timeline that a descriptor leads to; nil when it leads to something else.
  static func find(_ descriptor: Int32) -> TestTimeline? {
    guard let identity = MemoryIdentity(descriptor: descriptor) else { return nil }
    return living.withLock { $0[identity]?.timeline }
  }

  /// Borrowed.
  public var descriptor: Int32 { file.descriptor }

  /// The highest point that was signalled.
  public var reached: UInt64 { state.withLock { $0.reached } }

  /// Signals a point and those before.
  public func signal(_ point: UInt64) {
    state.withLock { state in
      state.reached = max(state.reached, point)
      let reached = state.reached
      state.watches.removeAll { watch in
        guard watch.point <= reached else { return false }
        var one: UInt64 = 1
        _ = write(watch.event, &one, 8)
        close(watch.event)
        return true
      }
    }
  }

  /// Writes to an eventfd when a point is signalled.
  public func notify(_ event: Int32, at point: UInt64) {
    let copy = fcntl(event, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { return }
    let reached = state.withLock { state -> UInt64 in
      state.watches.append((point, copy))
      return state.reached
    }
    if reached >= point { signal(reached) }
  }
}
