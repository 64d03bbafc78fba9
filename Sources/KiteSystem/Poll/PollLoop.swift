import CLinux
import Glibc

/// One `ppoll` over a set of sources: the whole event loop, run a turn at a time.
///
/// Not thread-safe: made, filled and run on one thread. `PollThread` gives it a thread of its own.
public final class PollLoop {
  private var sources: [any PollSource] = []
  private var descriptors: [pollfd] = []
  /// Sources as they were when the turn began: one may add or remove sources from within.
  private var polled: [any PollSource] = []
  /// A source came while the others were prepared: it has had no chance to say what to wait for.
  private var hasUnpreparedSource = false

  /// A loop without sources.
  public init() {}

  /// Adds a source; it is kept until it is removed. Takes effect with the next turn; one that is added while
  /// others are prepared makes that come at once.
  public func add(_ source: any PollSource) {
    guard !sources.contains(where: { $0 === source }) else { return }
    sources.append(source)
    hasUnpreparedSource = true
  }

  /// Removes a source; it gets no further call from the turns that follow, nor from the rest of this one.
  public func remove(_ source: any PollSource) {
    sources.removeAll { $0 === source }
  }

  /// Removes all sources, so that those that refer to their loop don't keep it, and themselves, for ever.
  public func removeAll() { sources.removeAll() }

  /// Prepares every source, waits until one is ready or `timeout` nanoseconds are over (negative: for ever), and
  /// lets every source process what happened.
  ///
  /// A signal ends the wait early. Returns whether any descriptor was ready.
  @discardableResult
  public func turn(timeout: Int64 = -1) -> Bool {
    polled.removeAll(keepingCapacity: true)
    descriptors.removeAll(keepingCapacity: true)
    hasUnpreparedSource = false
    for source in sources where !source.isUrgent { prepare(source) }
    for source in sources where source.isUrgent { prepare(source) }
    let ready = descriptors.withUnsafeMutableBufferPointer {
      kite_ppoll($0.baseAddress, UInt($0.count), hasUnpreparedSource ? 0 : timeout)
    }
    for index in polled.indices.reversed() where polled[index].isUrgent { process(index, ready) }
    for index in polled.indices where !polled[index].isUrgent { process(index, ready) }
    // Nothing is kept between turns: a source that has left, and refers to its loop, would never go.
    polled.removeAll(keepingCapacity: true)
    return ready > 0
  }

  private func prepare(_ source: any PollSource) {
    // One that was prepared before it may have removed it.
    guard sources.contains(where: { $0 === source }) else { return }
    let events = source.prepare()
    polled.append(source)
    descriptors.append(pollfd(fd: source.descriptor, events: events.rawValue, revents: 0))
  }

  private func process(_ index: Int, _ ready: Int32) {
    let source = polled[index]
    guard sources.contains(where: { $0 === source }) else { return }
    source.process(PollEvents(rawValue: ready > 0 ? descriptors[index].revents : 0))
  }
}
