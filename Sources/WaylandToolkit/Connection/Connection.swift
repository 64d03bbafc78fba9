internal import KiteSystem
public import Wayland

/// A connection to a compositor, and what the main thread holds of it: globals, outputs, seats, windows.
///
/// Made by `connect` or for a `wl_display *` of other code, which keeps its own queue and loop and stays
/// open. The loop is `MainLoop`, or the program's own: see `sources`.
///
/// What the compositor does never ends the process. When the connection dies, `onError` says why, once;
/// everything made with it stays safe to use and does nothing. To go on, make a new connection and all
/// objects anew.
@MainActor
public final class Connection {
  /// Called once when the connection is dead, with the reason: gone, or a protocol error with object, code
  /// and message.
  public var onError: ((ToolkitError) -> Void)?
  /// Called when an output came, changed or went, after `outputs` says so.
  public var onOutputsChange: (() -> Void)?
  /// Called when a seat came or went, after `seats` says so.
  public var onSeatsChange: (() -> Void)?
  /// The monitors, in the order of their announcement, as far as they have described themselves.
  public var outputs: [Output] { allOutputs.filter { $0.info != nil } }
  /// The seats. None is normal: then nobody types or points.
  public internal(set) var seats: [Seat] = []
  /// The formats that `wl_shm` takes, as DRM fourccs. Arrives after connecting; complete once a window was
  /// configured.
  public internal(set) var shmFormats: Set<UInt32> = []
  /// Why the connection is dead; nil while it lives.
  public private(set) var error: ToolkitError?

  /// The queue of everything that belongs to the main thread.
  public let queue: EventQueue
  /// The connection's socket, outlived by nothing here; see `Display` for its rules.
  public let display: Display

  let registry: Registry
  let source: QueueSource
  let timers: TimerSource
  var allOutputs: [Output] = []
  var followers: [WeakScale] = []
  var bound: [String: Proxy] = [:]
  var surfaceInputs: [ObjectIdentifier: WeakInput] = [:]
  var pendingUpdates: [() -> Void] = []
  private var lossObservers: [LossObserver] = []
  var cursorTheme: CursorTheme?

  /// How long a compositor may take to say what it offers: a stopped one is an error, not a hang.
  static let patience = Duration.seconds(10)

  /// Connects to the compositor of this session, or to the one whose socket is called `name` (below
  /// `XDG_RUNTIME_DIR`, or an absolute path). Without a name: the descriptor in `WAYLAND_SOCKET`, else the
  /// socket in `WAYLAND_DISPLAY`.
  ///
  /// Waits for one answer of the compositor.
  /// - Throws: `ToolkitError.connection` that says which variables were looked at, and what to do.
  public static func connect(to name: String? = nil) throws(ToolkitError) -> Connection {
    let display: Display
    do throws(WaylandError) { display = try Display.connect(to: name) } catch { throw .connection(error) }
    let connection = try Connection(display, sharing: .alone)
    try connection.waitForGlobals()
    return connection
  }

  /// Connects over a socket that is connected already. The descriptor becomes the connection's, also when
  /// this throws.
  public static func connect(descriptor: Int32) throws(ToolkitError) -> Connection {
    let display: Display
    do throws(WaylandError) { display = try Display.connect(descriptor: descriptor) } catch {
      throw .connection(error)
    }
    let connection = try Connection(display, sharing: .alone)
    try connection.waitForGlobals()
    return connection
  }

  /// Joins the connection of other code on this thread, such as GTK's or SDL's: `display` is a `wl_display *`
  /// that outlives this object. Its queues are not touched, and it is not closed.
  ///
  /// Waits for one answer of the compositor; not to be called between the other code's prepared read and its
  /// read.
  public static func join(foreign display: UnsafeMutableRawPointer) throws(ToolkitError) -> Connection {
    let connection = try Connection(Display(foreign: display), sharing: .withForeignLoop)
    try connection.waitForGlobals()
    return connection
  }

  /// Asks for the globals; they come with the events of the queue.
  init(_ display: Display, sharing: QueueSource.Sharing) throws(ToolkitError) {
    do throws(WaylandError) { queue = try display.makeQueue() } catch { throw .connection(error) }
    do throws(SystemError) { timers = try TimerSource() } catch {
      queue.close()
      throw .system(error)
    }
    self.display = display
    source = QueueSource(queue, sharing: sharing)
    registry = Registry(queue)
    registry.onAdded = { [weak self] in self?.appeared($0) }
    registry.onRemoved = { [weak self] in self?.disappeared($0) }
    source.beforeFlush = { [weak self] in self?.runPendingUpdates() }
    source.onError = { [weak self] in self?.fail($0) }
  }

  private func waitForGlobals() throws(ToolkitError) {
    do throws(WaylandError) { try queue.roundtrip(timeout: Self.patience) } catch {
      close()
      throw .connection(error)
    }
  }

  /// Whether the connection is neither dead nor closed.
  public var isAlive: Bool { error == nil && queue.isOpen }

  /// Ends what the main thread holds: all its objects end without a word to the compositor, and their
  /// handlers are dropped. The socket is closed when the last other thread has let go of it too. Idempotent;
  /// may be called inside an event.
  public func close() {
    tellOfLoss()
    pendingUpdates.removeAll()
    for seat in seats { seat.end() }
    seats.removeAll()
    // Its buffers are of the queue, but not ours to end.
    cursorTheme = nil
    queue.close()
    bound.removeAll()
    allOutputs.removeAll()
    onError = nil
    onOutputsChange = nil
    onSeatsChange = nil
  }

  isolated deinit {
    cursorTheme = nil
    queue.close()
  }

  private func fail(_ reason: WaylandError) {
    guard error == nil else { return }
    error = .connection(reason)
    tellOfLoss()
    onError?(.connection(reason))
  }

  /// Has `action` called once, when the connection has died (before `onError`) or is being closed, if `owner`
  /// still lives then. Windows use it to tell their content.
  public func whenLost(_ owner: AnyObject, _ action: @escaping () -> Void) {
    lossObservers.removeAll { $0.owner == nil }
    lossObservers.append(LossObserver(owner: owner, action: action))
  }

  private struct LossObserver {
    weak var owner: AnyObject?
    let action: () -> Void
  }

  private func tellOfLoss() {
    let observers = lossObservers
    lossObservers.removeAll()
    for observer in observers where observer.owner != nil { observer.action() }
  }

  /// What another thread needs to use the connection beside this one, as of now.
  public var shared: SharedConnection {
    SharedConnection(display: display, globals: globals, shmFormats: shmFormats)
  }
}
