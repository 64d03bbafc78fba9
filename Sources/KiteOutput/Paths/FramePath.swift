import KiteCore
import KiteSystem
import WaylandToolkit

/// How the bytes of a frame get to the compositor.
struct FramePath: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// A dmabuf: the memory that the decoder wrote, or a copy of it.
    case dmabuf(DmabufChoice)
    /// The memory that the decoder wrote is the `wl_shm` buffer. No byte is copied.
    case direct
    /// Converted to 8-bit RGB at the size at which it is shown.
    case xrgb8888
    /// Converted to 10-bit RGB at the size at which it is shown.
    case xrgb2101010
  }

  let kind: Kind
  /// Why there is no better path, as a sentence; empty when there is none better.
  let reason: String
  /// What the compositor is told of the buffer's colours; nil where nothing is.
  let colors: ColorReading?

  /// What of the compositor decides about the path.
  struct Compositor: Hashable, Sendable {
    /// The formats of `wl_shm` as DRM fourccs.
    var formats: Set<UInt32>
    var reading: YUVReading
    /// Matrices and ranges of YUV that it can be told of a buffer; none where it doesn't listen.
    var tellable: Set<ColorReading.Numbers> = []
    /// Without a viewport neither crop nor scaling can be asked for.
    var hasViewport: Bool
    /// Whether it draws with a GPU, as far as its offer of `linux-dmabuf` gives away.
    ///
    /// Software renderers take 10-bit RGB, but through a slow path of pixman's, for an output of 8 bits: headless
    /// Weston showed 15 of 168 frames at 720p30 in that format, and 164 in 8 bits.
    var isAccelerated: Bool
    var dmabuf = DmabufTerms()
  }

  /// The best path for frames like this one: first those on which this process copies nothing.
  init(
    for frame: VideoFrame.Properties, memory: FrameMemory, compositor: Compositor, avoidsDmabuf: Bool = false
  ) {
    let common = Self.commonObstacle(for: frame, compositor: compositor)
    let told = ColorReading(frame).flatMap { compositor.tellable.contains($0.numbers) ? $0 : nil }
    var verdict = common.map { DmabufTerms.Verdict.refuse($0) }
    if verdict == nil {
      verdict =
        avoidsDmabuf
        ? .refuse("The compositor does not say whether it takes these frames as dmabufs.")
        : compositor.dmabuf.verdict(for: frame.format, memory: memory)
    }
    var dmabufReason = ""
    switch verdict {
    case .take(let choice) where choice.copy == nil:
      kind = .dmabuf(choice)
      colors = told
      reason = Self.remark(on: choice, frame: frame)
      return
    case .take(let choice):
      dmabufReason = Self.remark(on: choice, frame: frame)
    case .refuse(let reason): dmabufReason = reason
    case nil: break
    }
    let obstacle = common ?? Self.shmObstacle(for: frame, memory: memory, compositor: compositor)
    guard let obstacle else {
      kind = .direct
      colors = told
      reason = frame.isReadBack ? "\(Self.readBack) \(dmabufReason)" : dmabufReason
      return
    }
    if case .take(let choice) = verdict {
      kind = .dmabuf(choice)
      colors = told
      reason = dmabufReason
      return
    }
    colors = nil
    let isDeep = frame.format.bitDepth > 8
    let takesDeep =
      compositor.isAccelerated && compositor.formats.contains(PixelFormat.xrgb2101010.fourcc)
    kind = isDeep && takesDeep ? .xrgb2101010 : .xrgb8888
    reason = obstacle == dmabufReason ? obstacle : "\(dmabufReason) \(obstacle)"
  }

  /// The device can't hand its pictures out, or the compositor does not take them.
  private static let readBack =
    "The device's pictures can't be shown where they are: each is copied once, out of its memory."

  /// What is less than best about a dmabuf.
  private static func remark(on choice: DmabufChoice, frame: VideoFrame.Properties) -> String {
    let name = DmabufTerms.name(of: choice.layout.fourcc)
    if let copy = choice.copy {
      return copy == frame.format
        ? "The decoder keeps its frames in memory of its own: each is copied once."
        : "The compositor takes no \(frame.format.rawValue) dmabufs: each frame is copied once, into \(name)."
    }
    if frame.isReadBack { return readBack }
    guard choice.isScanout == false else { return "" }
    return "The compositor draws these frames: at the moment nothing scans out \(name) by itself."
  }

  /// What keeps a frame from being shown as it is, by whatever way it gets to the compositor.
  private static func commonObstacle(for frame: VideoFrame.Properties, compositor: Compositor) -> String? {
    guard compositor.hasViewport else { return "The compositor has no wp_viewporter to crop and scale with." }
    guard frame.format.model != .rgb else { return nil }
    if compositor.tellable.isEmpty {
      if compositor.reading.isRight(for: frame.color) { return nil }
      return
        "The compositor would show these \(frame.format.rawValue) frames in wrong colours: it does not listen to "
        + "what the stream says about them."
    }
    // What a compositor that listens does where nothing is said is its own, and may change: it is told, or not trusted.
    if let reading = ColorReading(frame), compositor.tellable.contains(reading.numbers) { return nil }
    return
      "The compositor can't be told how to read the colours of these \(frame.format.rawValue) frames: matrix "
      + "\(frame.color.matrix.rawValue) of H.273 in \(frame.color.range) range is not among what it announces."
  }

  private static func shmObstacle(
    for frame: VideoFrame.Properties, memory: FrameMemory, compositor: Compositor
  ) -> String? {
    guard case .shared(let memory) = memory, memory.backing == .memfd else {
      return "The decoder keeps its frames in memory that wl_shm can't share."
    }
    guard frame.format.fourcc != 0, compositor.formats.contains(frame.format.fourcc) else {
      return "The compositor's wl_shm does not take \(frame.format.rawValue)."
    }
    return nil
  }
}
