import KiteCore

/// How the bytes of a frame get to the compositor over `wl_shm`.
struct FramePath: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// The memory that the decoder wrote is the buffer. No byte is copied.
    case direct
    /// Converted to 8-bit RGB at the size at which it is shown.
    case xrgb8888
    /// Converted to 10-bit RGB at the size at which it is shown.
    case xrgb2101010
  }

  let kind: Kind
  /// Why there is no better path, as a sentence; empty for `direct`.
  let reason: String

  /// What of the compositor decides about the path.
  struct Compositor: Hashable, Sendable {
    /// The formats of `wl_shm` as DRM fourccs.
    var formats: Set<UInt32>
    var reading: YUVReading
    /// Without a viewport neither crop nor scaling can be asked for.
    var hasViewport: Bool
    /// Whether it draws with a GPU, as far as its offer of `linux-dmabuf` gives away.
    ///
    /// Software renderers take 10-bit RGB, but through a slow path of pixman's, for an output of 8 bits: headless
    /// Weston showed 15 of 168 frames at 720p30 in that format, and 164 in 8 bits.
    var isAccelerated: Bool
  }

  /// The best path for frames like this one.
  init(for frame: VideoFrame.Properties, memory: FrameMemory, compositor: Compositor) {
    let isDeep = frame.format.bitDepth > 8
    let takesDeep =
      compositor.isAccelerated && compositor.formats.contains(PixelFormat.xrgb2101010.fourcc)
    let converted: Kind = isDeep && takesDeep ? .xrgb2101010 : .xrgb8888
    let obstacle = Self.obstacle(for: frame, memory: memory, compositor: compositor)
    kind = obstacle == nil ? .direct : converted
    reason = obstacle ?? ""
  }

  private static func obstacle(
    for frame: VideoFrame.Properties, memory: FrameMemory, compositor: Compositor
  ) -> String? {
    let name = frame.format.rawValue
    guard case .shared = memory else { return "The decoder keeps its frames in memory that can't be shared." }
    guard frame.format.fourcc != 0, compositor.formats.contains(frame.format.fourcc) else {
      return "The compositor's wl_shm does not take \(name)."
    }
    guard compositor.hasViewport else { return "The compositor has no wp_viewporter to crop and scale with." }
    if frame.format.model != .rgb, !compositor.reading.isRight(for: frame.color) {
      return
        "The compositor would show these \(name) frames in wrong colours: it does not listen to what the "
        + "stream says about them."
    }
    return nil
  }
}
