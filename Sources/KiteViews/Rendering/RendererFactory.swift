public import KiteCore
public import Wayland

/// Makes the renderers that put a player's pictures on a view's surface.
///
/// An adapter that is not Kite's own implements this and `ViewRenderer`, and needs neither FFmpeg nor KiteOutput.
public protocol RendererFactory: AnyObject, Sendable {
  /// A renderer for `target`, or nil when this factory has none for it; the view then stays as it is.
  ///
  /// - Throws: any error; the view puts it into its `diagnostics` and asks again when something changes.
  @MainActor func makeRenderer(for target: RendererTarget) throws -> (any ViewRenderer)?
}

/// A renderer that follows the geometry of a view.
///
/// Beside what the engine calls, the view calls from the main actor; no call blocks.
public protocol ViewRenderer: VideoRenderer {
  /// The view's surface has another size, scale or visibility. The picture on it is shown anew, also while paused.
  func update(_ geometry: SurfaceGeometry)

  /// The surface is about to be destroyed. After the return no request is made on it, and whatever the renderer still
  /// kept for it is let go. Called after `close`.
  func surfaceWillEnd()

  /// Whether everything is let go: after `close`, when the compositor holds no buffer any more.
  var isFinished: Bool { get }

  /// How the pictures get to the screen, at the moment.
  var diagnostics: RendererDiagnostics { get }
}

/// The surface that a renderer is made for, and what belongs to it. Safe to take to another thread.
public struct RendererTarget: Sendable {
  /// The connection. A renderer that works on a thread of its own makes its own event queue on it.
  public let display: Display
  /// The video surface; it stays alive until `ViewRenderer.surfaceWillEnd`. It has its role already; its buffers,
  /// viewport, regions and commits are the renderer's from now on.
  public let surface: ProxyHandle<WlSurface>
  /// The surface's viewport; nil where the compositor has no `wp_viewporter`.
  public let viewport: ProxyHandle<WpViewport>?
  /// Where every accepted frame is settled.
  public let ledger: FrameLedger
  /// Whether kernel buffers may be used; false asks for the path over `wl_shm`.
  public let prefersDmabuf: Bool
  /// Size and scale at the moment.
  public let geometry: SurfaceGeometry
  /// Takes the renderer's news; any thread, never blocks.
  public let report: @Sendable (RendererReport) -> Void

  /// The target of a renderer.
  public init(
    display: Display, surface: ProxyHandle<WlSurface>, viewport: ProxyHandle<WpViewport>?,
    ledger: FrameLedger,
    prefersDmabuf: Bool, geometry: SurfaceGeometry, report: @escaping @Sendable (RendererReport) -> Void
  ) {
    self.display = display
    self.surface = surface
    self.viewport = viewport
    self.ledger = ledger
    self.prefersDmabuf = prefersDmabuf
    self.geometry = geometry
    self.report = report
  }
}

/// What a renderer has to tell its view.
public enum RendererReport: Sendable {
  /// A picture is on the surface, for the first time of this renderer.
  case pictureShown
  /// The surface now covers this part of the view, in logical pixels. The view moves it there: a subsurface's place is
  /// its parent's state.
  case placed(PixelRect)
  /// What was committed last is made for this geometry, the first since it changed: while a window is resized its own
  /// commit waits for this, so that picture and window change in one step. After a `placed` that belongs to it.
  case adapted(SurfaceGeometry)
  /// The renderer can't go on, for this reason. It accepts no further frame.
  case failed(reason: String)
}

/// How the pictures of a view get to the screen.
public struct RendererDiagnostics: Hashable, Sendable {
  /// The way of the bytes.
  public enum Path: String, Hashable, Sendable {
    /// No picture yet.
    case none
    /// Kernel buffers: nothing is copied, unless `isCopied` says so.
    case dmabuf
    /// The decoder's own memory over `wl_shm`: nothing is copied by this process.
    case shmDirect = "wl_shm in the frame's own format"
    /// Converted to RGB over `wl_shm`.
    case shmConverted = "wl_shm converted to RGB"
  }

  /// What decides when a frame is committed.
  public enum Pacing: String, Hashable, Sendable {
    /// The compositor, which is told ahead when each frame is to be seen (`fifo-v1`, `commit-timing-v1`).
    case queue = "by the compositor, told ahead"
    /// The frame's time: the compositor's vblanks aren't known.
    case targets = "by the frames' times"
    /// The vblank that the frame is meant for, from presentation feedback.
    case vblanks = "by vblanks, from presentation feedback"
  }

  /// Frames that were aimed at a vblank, by where they were shown.
  public struct VblankTally: Hashable, Sendable {
    /// At their vblank.
    public var onTime: Int
    /// At the next one.
    public var oneLate: Int
    /// Later still.
    public var moreLate: Int
    /// Before it.
    public var early: Int

    /// A tally of these numbers.
    public init(onTime: Int = 0, oneLate: Int = 0, moreLate: Int = 0, early: Int = 0) {
      self.onTime = onTime
      self.oneLate = oneLate
      self.moreLate = moreLate
      self.early = early
    }
  }

  /// How evenly frames came to the screen, since the renderer was made; all from presentation feedback.
  public struct PaceReport: Hashable, Sendable {
    /// Vblanks at which a frame was still shown although the next one was meant for them.
    public var repeatedVblanks: Int
    /// From commit to screen, in nanoseconds: half of the frames took no longer.
    public var medianLatency: Int64
    /// From commit to screen, in nanoseconds: 99 of 100 frames took no longer.
    public var longLatency: Int64
    /// Root mean square of what the intervals between frames were off the intended ones, in nanoseconds.
    public var jitter: Int64
    /// For how many vblanks each of the latest frames stayed, such as `3:2:3:2`; empty while vblanks aren't known.
    public var cadence: String
    /// Whether the vblanks of `cadence` and `repeatedVblanks` were counted by the output itself, which is the kernel
    /// (`wp_presentation_feedback.presented`, its sequence); else they are told by the times.
    public var isCountedByOutput: Bool

    /// A report of these numbers.
    public init(
      repeatedVblanks: Int = 0, medianLatency: Int64 = 0, longLatency: Int64 = 0, jitter: Int64 = 0,
      cadence: String = "", isCountedByOutput: Bool = false
    ) {
      self.repeatedVblanks = repeatedVblanks
      self.medianLatency = medianLatency
      self.longLatency = longLatency
      self.jitter = jitter
      self.cadence = cadence
      self.isCountedByOutput = isCountedByOutput
    }
  }

  /// The way of the bytes.
  public var path: Path
  /// DRM fourcc of the buffers; 0 before the first.
  public var fourcc: UInt32
  /// DRM modifier of the buffers; nil for `wl_shm`.
  public var modifier: UInt64?
  /// Whether this process copies each frame once into memory that the compositor takes, as it is or with its chroma
  /// interleaved: the decoder writes elsewhere, or in a layout that isn't taken. Also where it has to copy pictures out of
  /// the memory of a device that decodes.
  public var isCopied: Bool
  /// Whether the compositor is told by what matrix and in what range the buffers are to be read
  /// (`color-representation-v1`); if not, RGB is shown, or YUV that it is known to read right.
  public var isColorTold: Bool
  /// Whether compositor and renderer hand dmabufs to each other by points of timelines (`linux-drm-syncobj-v1`), not by
  /// the fences of the memory itself.
  public var isExplicitlySynchronized: Bool
  /// Why they don't although the compositor offers it; empty when they do, or it doesn't.
  public var synchronizationProblem: String
  /// Whether the compositor said of the latest frame that it was shown without a copy
  /// (`wp_presentation_feedback.kind.zero_copy`).
  public var isZeroCopy: Bool
  /// Frames of which the compositor said so, since the renderer was made.
  public var zeroCopyFrames: Int
  /// The output's refresh interval as the compositor says, in nanoseconds; nil when it doesn't.
  public var refresh: Int64?
  /// What decides when a frame is committed.
  public var pacing: Pacing
  /// How frames that were aimed at a vblank did, since the renderer was made.
  public var vblanks: VblankTally
  /// How evenly frames came to the screen.
  public var pace: PaceReport
  /// Why there is no better path, in one sentence; empty when there is none better.
  public var reason: String

  /// The diagnostics of a view without a picture, for `reason`.
  public init(reason: String = "") {
    path = .none
    fourcc = 0
    modifier = nil
    isCopied = false
    isColorTold = false
    isExplicitlySynchronized = false
    synchronizationProblem = ""
    isZeroCopy = false
    zeroCopyFrames = 0
    refresh = nil
    pacing = .targets
    vblanks = VblankTally()
    pace = PaceReport()
    self.reason = reason
  }
}
