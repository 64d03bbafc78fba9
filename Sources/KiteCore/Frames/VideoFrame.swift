/// One plane of a frame in memory.
public struct VideoPlane: Sendable {
  /// Bytes from the start of the frame's memory to the plane's first sample; 0 for `FrameMemory.heap`.
  public let offset: Int
  /// Bytes from one row to the next.
  public let stride: Int
  /// The first sample, readable as long as the frame lives; nil for a dmabuf that is not mapped.
  public var baseAddress: UnsafeRawPointer? { address.pointer }

  private let address: Address

  /// The memory behind it belongs to the frame, is not written while the frame lives, and may be read anywhere.
  private struct Address: @unchecked Sendable {
    let pointer: UnsafeRawPointer?
  }

  /// A plane at `offset` of the frame's memory, whose first sample is at `baseAddress`.
  public init(offset: Int, stride: Int, baseAddress: UnsafeRawPointer?) {
    self.offset = offset
    self.stride = stride
    self.address = Address(pointer: baseAddress)
  }
}

/// A decoded picture with all that is needed to show it right, owned by whoever holds the value.
///
/// The value moves from decoder to engine to renderer and is never copied. Its memory goes back where it came from when
/// the last holder lets go. Nobody writes to the memory of a frame. Any thread may hold it.
public struct VideoFrame: ~Copyable, Sendable {
  /// Everything about a frame but its memory.
  public struct Properties: Hashable, Sendable {
    /// Layout of the samples.
    public var format: PixelFormat
    /// Pixels that the planes hold, padding included.
    public var codedSize: PixelSize
    /// The part of `codedSize` that is the picture.
    public var crop: PixelRect
    /// Width to height of one pixel.
    public var sampleAspect: PixelRatio
    /// How the picture is turned for display.
    public var orientation: Orientation
    /// Colours, with the stream's gaps already filled (`ColorDescription.resolved`).
    public var color: ColorDescription
    /// Presentation time in the media.
    public var pts: MediaTime
    /// How long the frame is to be shown; zero when the stream doesn't say.
    public var duration: MediaTime
    /// Whether a device decoded the picture and it was copied out of the device's memory.
    public var isReadBack = false

    /// The properties of a frame; by default upright, square, all of it picture.
    public init(
      format: PixelFormat, codedSize: PixelSize, crop: PixelRect? = nil, sampleAspect: PixelRatio = .square,
      orientation: Orientation = .upright, color: ColorDescription = ColorDescription(),
      pts: MediaTime = .zero,
      duration: MediaTime = .zero
    ) {
      self.format = format
      self.codedSize = codedSize
      self.crop = crop ?? PixelRect(x: 0, y: 0, width: codedSize.width, height: codedSize.height)
      self.sampleAspect = sampleAspect
      self.orientation = orientation
      self.color = color
      self.pts = pts
      self.duration = duration
    }

    /// The picture's size as it is to be shown, in square pixels: cropped, stretched by the sample aspect (one side
    /// only ever grows), turned.
    public var displaySize: PixelSize {
      var size = crop.size
      let aspect = sampleAspect.value
      if aspect > 1 {
        size.width = Int((Double(size.width) * aspect).rounded())
      } else if aspect < 1 {
        size.height = Int((Double(size.height) / aspect).rounded())
      }
      return orientation.swapsAxes ? size.transposed : size
    }
  }

  /// Everything but the memory.
  public let properties: Properties
  /// Where the bytes are.
  public let memory: FrameMemory
  /// The planes of `properties.format`, in its order.
  public let planes: [VideoPlane]
  /// Keeps the memory alive; its deinit gives the memory back.
  private let owner: any AnyObject & Sendable

  /// A frame over memory that `owner` keeps alive and gives back when the last frame over it ends.
  public init(
    properties: Properties, memory: FrameMemory, planes: [VideoPlane], owner: any AnyObject & Sendable
  ) {
    self.properties = properties
    self.memory = memory
    self.planes = planes
    self.owner = owner
  }

  /// A second frame over the same memory, which then lives as long as the longer-lived of the two.
  public borrowing func duplicate() -> VideoFrame {
    VideoFrame(properties: properties, memory: memory, planes: planes, owner: owner)
  }
}
