internal import Glibc
internal import KiteSystem
public import KiteViews
public import TestCompositor
public import WaylandToolkit

/// A compositor, a connection to it, and the turns that both take, for tests of views.
///
/// The compositor runs on a thread of its own; the main actor's side takes its turns in `play` and `wait`, which
/// suspend between them, so that what renderers report arrives.
@MainActor
public final class Stage {
  /// The other end of the wire.
  public let compositor: ScriptedCompositor
  /// The main actor's connection.
  public let connection: Connection
  /// What the connection said when it died.
  public private(set) var errors: [ToolkitError] = []

  /// Something did not happen in time.
  public struct Missed: Error, CustomStringConvertible {
    /// What was waited for, and what was there instead.
    public let description: String
  }

  /// Brings the compositor up and connects to it.
  ///
  /// - Parameter hertz: how often the screen is refreshed by itself; nil for only when the test says so.
  public init(_ configuration: CompositorConfiguration = .standard, hertz: Double? = 120) throws {
    compositor = try ScriptedCompositor(configuration)
    try compositor.start()
    connection = try Connection.connect(descriptor: compositor.connect())
    connection.onError = { [weak self] in self?.errors.append($0) }
    if let hertz { compositor.startVblanks(hertz: hertz) }
  }

  /// One turn of the main actor's loop, without waiting.
  public func turn() {
    let events = connection.prepare()
    guard connection.descriptor >= 0 else { return }
    var descriptor = pollfd(fd: connection.descriptor, events: events.rawValue, revents: 0)
    poll(&descriptor, 1, 0)
    connection.process(PollEvents(rawValue: descriptor.revents))
  }

  /// Takes turns until `condition` holds. It takes long only when it fails.
  public func wait(
    for what: String, seconds: Double = 60, detail: @autoclosure () -> String = "",
    until condition: () -> Bool
  ) async throws {
    let deadline = MonotonicTime.now + Int64(seconds * 1_000_000_000)
    var turns = 0
    while !condition() {
      // Where other tests keep all threads busy a single turn may come after the deadline: that is no time given.
      turns += 1
      guard .now < deadline || turns < 200 else {
        let mistakes = compositor.violations.map(\.description) + compositor.sentErrors.map { "\($0)" }
        throw Missed(
          description: "\(what) did not come about. \(detail()) \(mistakes.joined(separator: "; "))")
      }
      turn()
      try await Task.sleep(for: .milliseconds(1))
    }
  }

  /// Takes turns for a while: for what is to be seen not to happen.
  public func play(milliseconds: Int) async throws {
    let deadline = MonotonicTime.now + Int64(milliseconds) * 1_000_000
    while .now < deadline {
      turn()
      try await Task.sleep(for: .milliseconds(1))
    }
  }

  /// Opens a window and waits until it is configured.
  public func openWindow(width: Int = 64, height: Int = 36) async throws -> Window {
    let window = try Window(
      connection, title: "Test", appID: "org.example.Test", size: LogicalSize(width: width, height: height),
      minimumSize: LogicalSize(width: 1, height: 1))
    try window.show()
    try await wait(for: "the first configure") { window.geometry != nil }
    return window
  }

  /// Opens a window with a view in it and waits until the window is on the screen.
  public func openView(
    width: Int = 64, height: Int = 36, factory: (any RendererFactory)? = nil
  ) async throws -> (window: Window, view: KitePlayerView) {
    let window = try Window(
      connection, title: "Test", appID: "org.example.Test", size: LogicalSize(width: width, height: height),
      minimumSize: LogicalSize(width: 1, height: 1))
    let view = try KitePlayerView(in: window)
    view.rendererFactory = factory
    try window.show()
    try await wait(for: "the window") { self.compositor.window?.surface.isMapped == true }
    return (window, view)
  }

  /// The surface that shows the pictures of the first view: the one that lies highest in the first window.
  public var video: SurfaceSnapshot? {
    let surfaces = compositor.surfaces
    var top = compositor.window?.surface
    while let number = top?.stack.last, number != top?.number {
      top = surfaces.first { $0.number == number }
    }
    return top?.number == compositor.window?.surface.number ? nil : top
  }

  /// A pixel of what is on the screen.
  public func pixel(_ x: Int, _ y: Int) -> Picture.Pixel? { compositor.pixel(x, y) }
}
