public import Wayland

/// A surface inside another one: of ours, or of other code in this process.
///
/// Position and order are part of the parent's state: they take effect with the parent's next commit, which
/// is its owner's to do. A new subsurface is synchronized and shows nothing before its own first buffer.
@MainActor
public final class Subsurface {
  /// What is drawn on. Its content and its commits are the caller's.
  public let surface: WlSurface
  /// Its scale and outputs.
  public let scale: SurfaceScale
  /// Whether its commits wait for the parent's, so that both change in one step. True at first; in force at
  /// once.
  public var isSynchronized = true {
    didSet {
      guard role.isAlive, isSynchronized != oldValue else { return }
      if isSynchronized { role.setSync() } else { role.setDesync() }
    }
  }

  /// What it is inside of: of this connection, or a wrapper for what other code made. Not to be ended through this.
  public let parent: WlSurface

  private let role: WlSubsurface
  private weak var connection: Connection?

  /// Makes a surface inside `parent`, which is of this connection's main queue or a wrapper for it.
  ///
  /// - Parameter takesInput: false lets what happens over it go through to the parent.
  /// - Throws: `ToolkitError.missingGlobal` without `wl_subcompositor`; `closed` when the parent has ended;
  ///   `connection` on a dead one.
  public init(_ connection: Connection, parent: WlSurface, takesInput: Bool = false) throws(ToolkitError) {
    let subcompositor = try connection.subcompositor
    let compositor = try connection.compositor
    guard parent.isAlive else { throw .closed }
    self.parent = parent
    self.connection = connection
    surface = compositor.createSurface()
    role = subcompositor.getSubsurface(surface, parent: parent)
    scale = SurfaceScale(surface, of: connection)
    if !takesInput {
      let nowhere = compositor.createRegion()
      surface.setInputRegion(nowhere)
      nowhere.destroy()
    }
  }

  /// Makes a surface inside one of other code: `parent` is a `wl_surface *` of the connection's `wl_display`,
  /// and outlives this object.
  public convenience init(
    _ connection: Connection, foreignParent parent: UnsafeMutableRawPointer, takesInput: Bool = false
  ) throws(ToolkitError) {
    try self.init(
      connection, parent: connection.queue.wrap(foreign: parent, as: WlSurface.self), takesInput: takesInput)
  }

  /// Moves the upper left corner to a place in the parent, in logical pixels, with the parent's next commit.
  public func setPosition(x: Int, y: Int) {
    guard role.isAlive else { return }
    role.setPosition(x: Int32(clamping: x), y: Int32(clamping: y))
  }

  /// Puts it directly above the parent or a sibling, with the parent's next commit.
  public func placeAbove(_ sibling: WlSurface) {
    if role.isAlive { role.placeAbove(sibling) }
  }

  /// Puts it directly below the parent or a sibling, with the parent's next commit.
  public func placeBelow(_ sibling: WlSurface) {
    if role.isAlive { role.placeBelow(sibling) }
  }

  /// Ends it and its surface; what it showed is gone at once. Idempotent; safe inside events.
  public func close() {
    connection?.removeInput(for: surface)
    scale.close()
    if role.isAlive { role.destroy() }
    if surface.isAlive { surface.destroy() }
  }

  isolated deinit { close() }
}
