public import KiteSystem

/// Where a frame's bytes are, and so who can be given them without a copy.
public enum FrameMemory: Sendable {
  /// Memory of this process alone, as when a decoder insists on its own.
  case heap
  /// Memory that a compositor can have, so that the frame in memory is the buffer: see `SharedMemory.Backing`.
  case shared(SharedMemory)
  /// Kernel buffers that devices share; not mapped here.
  case dmabuf(DmabufDescriptor)
}

/// A frame as kernel buffers (`linux-dmabuf-v1`'s parameters). Descriptors are borrowed from the frame.
public struct DmabufDescriptor: Sendable {
  /// One plane of the picture.
  public struct Plane: Sendable {
    /// The dmabuf, borrowed: duplicate it to keep it. Planes may share one.
    public let descriptor: Int32
    /// Bytes to the plane's first sample.
    public let offset: Int
    /// Bytes from one row to the next.
    public let stride: Int

    /// A plane at `offset` in the dmabuf `descriptor`.
    public init(descriptor: Int32, offset: Int, stride: Int) {
      self.descriptor = descriptor
      self.offset = offset
      self.stride = stride
    }
  }

  /// DRM fourcc of the layout.
  public let fourcc: UInt32
  /// DRM format modifier; `0x00ff_ffff_ffff_ffff` (MOD_INVALID) is not the same as 0 (LINEAR).
  public let modifier: UInt64
  /// Planes in the order of the fourcc.
  public let planes: [Plane]
  /// `dev_t` of the device that made the memory; nil when nobody knows.
  public let device: UInt64?

  /// A frame of `planes` laid out as `fourcc` and `modifier` say.
  public init(fourcc: UInt32, modifier: UInt64, planes: [Plane], device: UInt64? = nil) {
    self.device = device
    self.fourcc = fourcc
    self.modifier = modifier
    self.planes = planes
  }
}
