/// What a compositor offers and how it behaves from the beginning.
///
/// Start from `standard` and change what a test is about:
///
/// ```swift
/// let compositor = try ScriptedCompositor(.standard.without("wp_viewporter"))
/// ```
public struct CompositorConfiguration: Sendable {
  /// The globals on offer: interface to version.
  public var globals: [String: UInt32]
  /// Globals without messages, which only give away what compositor this is, such as `weston_desktop_shell`.
  public var namesOnly: [String] = []
  /// What `wl_shm` takes, as DRM fourccs.
  public var shmFormats: [UInt32] = [ShmFormat.xrgb8888.fourcc, ShmFormat.argb8888.fourcc]
  /// What dmabufs are taken, where `zwp_linux_dmabuf_v1` is among the globals.
  public var dmabuf = DmabufAdvice.linear([.xrgb8888])
  /// What the import of a dmabuf is answered.
  public var imports = ImportPolicy.created
  /// The monitors; windows open on the first one.
  public var outputs: [OutputDescription] = [OutputDescription()]
  /// Physical pixels per logical pixel in 120ths.
  public var scale120 = 120
  /// The size in the first configure of a window, in logical pixels; 0 leaves the choice to the client.
  public var windowSize = (width: 0, height: 0)
  /// How `wp_presentation` answers.
  public var feedback = FeedbackPolicy.answered
  /// The refresh interval that feedback tells, in nanoseconds.
  public var refresh: UInt32 = 16_666_667
  /// The clock of presentation times (`CLOCK_…`).
  public var presentationClock: UInt32 = 1
  /// When buffers are given back.
  public var releases = ReleasePolicy.whenReplaced
  /// Whether `wl_buffer.release` is sent at once for commits that are released by a point: it means nothing then.
  public var sendsMeaninglessReleases = false
  /// Whether frame callbacks are kept until they are asked for.
  public var withholdsFrameCallbacks = false
  /// What colours of YUV can be told, where `wp_color_representation_manager_v1` is among the globals.
  public var representable: [RepresentedColors.Numbers] = []
  /// How YUV memory is read for pictures where nothing is told.
  public var yuvMatrix = YUVMatrix.bt601
  /// Whether memory is compared between commit and release: costs a copy a commit.
  public var checksMemory = true
  /// The messages that are kept, at the most; older ones are forgotten.
  public var recordLimit = 50_000

  /// What desktops have, at the newest version.
  public static let standard = CompositorConfiguration(globals: [
    "wl_compositor": 6, "wl_subcompositor": 1, "wl_shm": 1, "xdg_wm_base": 6, "wp_viewporter": 1,
    "wp_presentation": 2, "wp_fractional_scale_manager_v1": 1, "wp_single_pixel_buffer_manager_v1": 1,
    "zwp_idle_inhibit_manager_v1": 1, "wp_content_type_manager_v1": 1, "zxdg_decoration_manager_v1": 1,
    "wl_output": 4,
  ])

  /// The standard one, which also keeps commits until their time.
  public static let queueing = CompositorConfiguration.standard
    .with("wp_fifo_manager_v1", version: 1).with("wp_commit_timing_manager_v1", version: 1)

  /// A compositor with these globals and no others.
  public init(globals: [String: UInt32]) { self.globals = globals }

  /// The same without some globals.
  public func without(_ interfaces: String...) -> CompositorConfiguration {
    var result = self
    for interface in interfaces { result.globals[interface] = nil }
    return result
  }

  /// The same with a global at another version.
  public func with(_ interface: String, version: UInt32) -> CompositorConfiguration {
    var result = self
    result.globals[interface] = version
    return result
  }

  /// The same, changed.
  public func with(_ change: (inout CompositorConfiguration) -> Void) -> CompositorConfiguration {
    var result = self
    change(&result)
    return result
  }
}

/// When a compositor gives buffers back.
public enum ReleasePolicy: Hashable, Sendable {
  /// At the first vblank after another buffer has taken the place, as one that scans out or draws from the memory.
  case whenReplaced
  /// With the commit, as one that copies.
  case atOnce
  /// Not before `releaseBuffers()`.
  case withheld
}

/// What becomes of requests for presentation feedback.
public enum FeedbackPolicy: Hashable, Sendable {
  /// `presented` at the vblank, `discarded` for what was replaced before.
  case answered
  /// `discarded` for everything, at the vblank.
  case discarded
  /// Nothing, until `answerFeedback` is called.
  case withheld
}

/// A monitor.
public struct OutputDescription: Hashable, Sendable {
  /// The name, such as `DP-1`.
  public var name: String
  /// Physical pixels.
  public var width: Int32
  /// Physical pixels.
  public var height: Int32
  /// Refreshes per 1,000 seconds; 0 when unknown.
  public var refresh: Int32

  /// A monitor; by default 1920×1080 at 60 Hz.
  public init(name: String = "TEST-1", width: Int32 = 1920, height: Int32 = 1080, refresh: Int32 = 60_000) {
    self.name = name
    self.width = width
    self.height = height
    self.refresh = refresh
  }
}
