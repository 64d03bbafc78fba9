/// The dance of configure and ack of one xdg window.
///
/// The first commit carries no buffer; the answer is a configure; a buffer may come with the commit after its
/// ack. Configures that come close together are answered once, by an ack of the last. A compositor that
/// leaves the size to the window sends 0: then it is the size that the window had when it last floated.
struct WindowConfigure {
  /// What the content is to be drawn for.
  struct Configuration: Hashable {
    var size: LogicalSize
    var state: WindowState
  }

  /// What to do now.
  enum Action: Hashable {
    case nothing
    /// Commit without a buffer: asks for the first configure.
    case commitEmpty
    /// Ack `serial` if there is one, draw, commit.
    case draw(Configuration, ack: UInt32?)
  }

  private enum State: Hashable {
    case hidden
    case awaitingConfigure
    case configured
  }

  private struct Toplevel {
    var width = 0
    var height = 0
    var state = WindowState()
  }

  /// States in which the size is not the window's own.
  private static let sized: WindowState = [.maximized, .fullscreen, .tiled]

  private var state = State.hidden
  private var toplevel = Toplevel()
  private var bounds = LogicalSize(width: 0, height: 0)
  private var serial: UInt32?
  private var needsDraw = false
  private var floatingSize: LogicalSize
  private let minimumSize: LogicalSize

  /// What was drawn for last; nil before the first configure.
  private(set) var current: Configuration?

  init(size: LogicalSize, minimumSize: LogicalSize) {
    self.minimumSize = minimumSize.usable
    floatingSize = size.usable
  }

  /// Whether a buffer may be committed.
  var isConfigured: Bool { state == .configured }
  /// Whether it was asked to be shown.
  var isShown: Bool { state != .hidden }

  /// The window is to be shown. Nothing, when it is already.
  mutating func show() -> Action {
    guard state == .hidden else { return .nothing }
    state = .awaitingConfigure
    return .commitEmpty
  }

  /// The window is to be hidden: its role ends, and what the compositor still sends for it counts for
  /// nothing.
  mutating func hide() {
    state = .hidden
    toplevel = Toplevel()
    bounds = LogicalSize(width: 0, height: 0)
    serial = nil
    needsDraw = false
    current = nil
  }

  /// `xdg_toplevel.configure`: in force with the next `surfaceConfigured`.
  mutating func toplevelConfigured(width: Int32, height: Int32, state: WindowState) {
    toplevel = Toplevel(width: Int(width), height: Int(height), state: state)
  }

  /// `xdg_toplevel.configure_bounds`: the size to stay within when the choice is the window's; 0 is no bound.
  mutating func boundsConfigured(width: Int32, height: Int32) {
    bounds = LogicalSize(width: Int(width), height: Int(height))
  }

  /// `xdg_surface.configure`: an answer is due, with `next()`.
  mutating func surfaceConfigured(_ serial: UInt32) {
    guard state != .hidden else { return }
    self.serial = serial
  }

  /// The content has changed by itself, or the scale.
  mutating func invalidate() { needsDraw = true }

  /// Another size is wanted for while the choice is the window's.
  mutating func resize(_ size: LogicalSize) {
    floatingSize = size.usable
    // The size that a floating window was told is the one it had, not one that it has to keep.
    if toplevel.state.isDisjoint(with: Self.sized) { (toplevel.width, toplevel.height) = (0, 0) }
    needsDraw = true
  }

  /// What to do once the events at hand are all taken in.
  mutating func next() -> Action {
    if let serial {
      self.serial = nil
      state = .configured
      return draw(ack: serial)
    }
    return state == .configured && needsDraw ? draw(ack: nil) : .nothing
  }

  private mutating func draw(ack serial: UInt32?) -> Action {
    needsDraw = false
    let configuration = Configuration(size: chosenSize, state: toplevel.state)
    if toplevel.state.isDisjoint(with: Self.sized) { floatingSize = configuration.size }
    current = configuration
    return .draw(configuration, ack: serial)
  }

  private var chosenSize: LogicalSize {
    LogicalSize(
      width: Self.choose(toplevel.width, floatingSize.width, minimumSize.width, bounds.width),
      height: Self.choose(toplevel.height, floatingSize.height, minimumSize.height, bounds.height)
    ).usable
  }

  private static func choose(_ asked: Int, _ own: Int, _ minimum: Int, _ bound: Int) -> Int {
    if asked > 0 { return asked }
    return bound > 0 ? min(max(own, minimum), bound) : max(own, minimum)
  }
}
