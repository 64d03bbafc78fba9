public import Wayland

/// What another thread needs of a connection in order to use it beside the main one.
///
/// A thread makes an event queue of its own (`display.makeQueue()`), a registry for it
/// (`queue.display.getRegistry()`), binds what it uses through `globals`, and polls the queue with a
/// `QueueSource`. Objects of the main thread come along as a `ProxyHandle`. Nothing here waits for the main
/// thread.
public struct SharedConnection: Sendable {
  /// The connection; kept open by whoever holds it.
  public let display: Display
  /// What the compositor offered when this value was made.
  public let globals: GlobalList
  /// The formats that `wl_shm` takes, as DRM fourccs. Complete once a window was configured.
  public let shmFormats: Set<UInt32>

  /// The `wl_display *`; others must not disconnect it. Valid as long as `display` is held.
  public var rawDisplay: UnsafeMutableRawPointer { display.rawPointer }
}
