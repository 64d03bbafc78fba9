internal import CWayland
internal import Glibc
public import KiteSystem

/// Events in the order of their arrival, for the objects that belong to it.
///
/// A queue and its objects are used by one thread. Objects made by an object of a queue belong to the same
/// queue; `display` is where the first ones come from. Several queues may be read at once, each on a thread
/// of its own.
///
/// The turn of a loop: `flush`, `prepareRead`, poll the display's descriptor, `read`, `dispatchPending`.
public final class EventQueue {
  /// The connection, shared by all queues.
  public let connection: Display
  private var pointer: OpaquePointer?
  /// How many dispatches are under way: a handler may dispatch its own queue again.
  private var depth = 0
  private var isHandlingOwnEvents = false
  unowned(unsafe) private var first: Proxy?

  init?(_ connection: Display) {
    guard let pointer = wl_display_create_queue(connection.pointer) else { return nil }
    self.connection = connection
    self.pointer = pointer
  }

  deinit { close() }

  /// Whether events can arrive: `close()` was not called.
  public var isOpen: Bool { pointer != nil && !isClosing }
  private var isClosing = false
  private var follower: QueueFollower?

  /// Has another thread read for this queue while it leads: see `ReaderRoster`. The same object for every call; nil for
  /// a closed queue.
  ///
  /// - Throws: `SystemError` when there is no descriptor to be had.
  public func follow() throws(SystemError) -> QueueFollower? {
    guard isOpen, let pointer else { return nil }
    if let follower { return follower }
    let new = try QueueFollower(display: connection.pointer, queue: pointer, roster: connection.readers)
    connection.readers.add(new)
    follower = new
    return new
  }

  /// Ends all objects of the queue on this side without telling the compositor, and drops their handlers.
  /// Idempotent; may be called inside an event.
  public func close() {
    isClosing = true
    while let proxy = first { proxy.retire(.lost, destroyingProxy: true) }
    // Inside an event, libwayland still walks the queue.
    guard depth == 0, let pointer else { return }
    self.pointer = nil
    if let follower { connection.readers.remove(follower) }
    follower = nil
    wl_event_queue_destroy(pointer)
  }

  /// A `wl_display` whose requests make objects for this queue.
  public var display: WlDisplay { wrap(connection.pointer, version: 1) }

  /// Another queue's object as one whose requests make objects for this queue. Its own events go on arriving
  /// where they did; it can't be destroyed through the wrapper, and it has to outlive the wrapper.
  public func wrap<Object: WaylandObject>(_ handle: ProxyHandle<Object>) -> Object {
    wrap(handle.pointer, version: max(1, wl_proxy_get_version(handle.pointer)))
  }

  /// An object that other code in the process made (a toolkit's `wl_surface *`) as one whose requests make
  /// objects for this queue. The caller knows that `pointer` is a living `wl_proxy *` of that interface and
  /// outlives the wrapper.
  public func wrap<Object: WaylandObject>(foreign pointer: UnsafeMutableRawPointer, as type: Object.Type)
    -> Object
  {
    wrap(OpaquePointer(pointer), version: max(1, wl_proxy_get_version(OpaquePointer(pointer))))
  }

  private func wrap<Object: WaylandObject>(_ proxy: OpaquePointer, version: UInt32) -> Object {
    guard isOpen, let pointer, let wrapper = wl_proxy_create_wrapper(UnsafeMutableRawPointer(proxy)) else {
      return .inert()
    }
    wl_proxy_set_queue(OpaquePointer(wrapper), pointer)
    return Object(
      ProxyOrigin(pointer: OpaquePointer(wrapper), queue: self, version: version, isWrapper: true))
  }

  /// Calls the handlers of the events that were read. Never waits. Returns how many there were.
  ///
  /// A handler may call this too, then the events after its own come first.
  @discardableResult
  public func dispatchPending() throws(WaylandError) -> Int {
    guard isOpen, let pointer else { throw .closed }
    depth += 1
    connection.ownEvents.willHandle()
    isHandlingOwnEvents = true
    let count = wl_display_dispatch_queue_pending(connection.pointer, pointer)
    endOwnEvents(isAlive: count >= 0)
    depth -= 1
    if isClosing { close() }
    guard count >= 0 else { throw connection.currentError }
    return Int(count)
  }

  /// libwayland handles the connection's own events before those of the queue: they are over when the first of the queue
  /// comes, or when there is none.
  func endOwnEvents(isAlive: Bool = true) {
    guard isHandlingOwnEvents else { return }
    isHandlingOwnEvents = false
    connection.ownEvents.didHandle(isAlive: isAlive)
  }

  /// Announces that this thread is about to read from the connection; `nil` if events wait in the queue
  /// already and have to be dispatched first. Also `nil` for a closed queue.
  public func prepareRead() -> PreparedRead? {
    guard isOpen, let pointer, wl_display_prepare_read_queue(connection.pointer, pointer) == 0 else {
      return nil
    }
    return PreparedRead(connection)
  }

  func add(_ proxy: Proxy) {
    proxy.next = first
    first?.previous = proxy
    first = proxy
  }

  func remove(_ proxy: Proxy) {
    if let previous = proxy.previous { previous.next = proxy.next } else { first = proxy.next }
    proxy.next?.previous = proxy.previous
    proxy.next = nil
    proxy.previous = nil
  }
}
