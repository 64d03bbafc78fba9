public import KiteSystem

/// What a renderer would like the memory of frames to be, so that it need not copy them.
///
/// Frames of any other memory are shown all the same.
public struct FrameMemoryWish: Hashable, Sendable {
  /// Where memory that decoders write into is to come from.
  public var backing: SharedMemory.Backing
  /// Whether frames may stay in the memory of a hardware decoder (`FrameMemory.dmabuf`). While false a decoder reads
  /// its pictures back into memory of its pool.
  public var takesDeviceFrames: Bool

  /// A wish; by default memfds, which every renderer can use, and nothing that can't be read.
  public init(backing: SharedMemory.Backing = .memfd, takesDeviceFrames: Bool = false) {
    self.backing = backing
    self.takesDeviceFrames = takesDeviceFrames
  }
}
