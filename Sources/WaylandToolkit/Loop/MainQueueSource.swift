internal import CLinux
internal import Dispatch
internal import Glibc
public import KiteSystem

/// libdispatch's main queue as a source: what runs on the main actor runs in `process`, on the thread of the
/// loop.
///
/// `MainLoop` has one already; a program with a loop of its own polls one on the main thread. There must not
/// be two in use, nor one beside a `RunLoop.main`.
public final class MainQueueSource: PollSource {
  /// An eventfd of libdispatch's, signalled when something waits in the main queue; borrowed.
  public let descriptor: Int32

  /// Tells libdispatch that this thread, which must be the main one, drains the queue.
  public init() { descriptor = _dispatch_get_main_queue_handle_4CF() }

  /// Nothing is to be done before the poll.
  public func prepare() -> PollEvents { .read }

  /// Runs what waits in the queue.
  public func process(_ events: PollEvents) {
    guard events.contains(.read) else { return }
    var count: UInt64 = 0
    _ = read(descriptor, &count, 8)
    _dispatch_main_queue_callback_4CF(nil)
  }
}
