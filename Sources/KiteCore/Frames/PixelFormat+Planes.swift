/// The shape of one plane of a format.
public struct PlaneLayout: Hashable, Sendable {
  /// Bytes from one sample (or group of interleaved samples) to the next.
  public let bytesPerSample: Int
  /// log2 of the horizontal subsampling of this plane.
  public let shiftX: Int
  /// log2 of the vertical subsampling of this plane.
  public let shiftY: Int

  /// Bytes that hold a row of a picture `width` pixels wide.
  public func rowBytes(width: Int) -> Int { ((width + (1 << shiftX) - 1) >> shiftX) * bytesPerSample }
  /// Rows of a picture `height` pixels high.
  public func rows(height: Int) -> Int { (height + (1 << shiftY) - 1) >> shiftY }
}

extension PixelFormat {
  /// The planes in memory order.
  public var planes: [PlaneLayout] {
    let word = bitDepth > 8 ? 2 : 1
    let (sx, sy) = chromaShift
    let luma = PlaneLayout(bytesPerSample: word, shiftX: 0, shiftY: 0)
    let chroma = PlaneLayout(bytesPerSample: word, shiftX: sx, shiftY: sy)
    switch self {
    case .nv12, .nv21, .nv16, .p010, .p012:
      return [luma, PlaneLayout(bytesPerSample: 2 * word, shiftX: sx, shiftY: sy)]
    case .yuyv422, .uyvy422:
      return [PlaneLayout(bytesPerSample: 4, shiftX: 1, shiftY: 0)]
    case .gray8, .gray10, .gray12:
      return [luma]
    case .gbrp, .gbrp10, .gbrp12:
      return [luma, luma, luma]
    case .rgb24, .bgr24:
      return [PlaneLayout(bytesPerSample: 3, shiftX: 0, shiftY: 0)]
    case .bgrx8888, .rgbx8888, .xrgb2101010:
      return [PlaneLayout(bytesPerSample: 4, shiftX: 0, shiftY: 0)]
    case .yuva420p, .yuva444p:
      return [luma, chroma, chroma, luma]
    default:
      return [luma, chroma, chroma]
    }
  }
}
