/// How the samples of a frame lie in memory. Names follow FFmpeg; `fourcc` is the kernel's.
///
/// Samples of more than 8 bits are little-endian 16-bit words: in the low bits for the planar formats, in the high bits
/// for `p010` and `p012`.
public enum PixelFormat: String, Hashable, Sendable, CaseIterable {
  // Planar Y, U, V.
  case yuv420p, yuv422p, yuv440p, yuv444p
  case yuv420p10, yuv422p10, yuv440p10, yuv444p10
  case yuv420p12, yuv422p12, yuv440p12, yuv444p12
  // Planar with an alpha plane last; the alpha is ignored.
  case yuva420p, yuva444p
  // Y and interleaved UV (nv21: VU).
  case nv12, nv21, nv16, p010, p012
  // Packed 4:2:2.
  case yuyv422, uyvy422
  // Luma only.
  case gray8, gray10, gray12
  // Planar G, B, R.
  case gbrp, gbrp10, gbrp12
  // Packed RGB, named in memory order; bgrx8888 is DRM_FORMAT_XRGB8888.
  case rgb24, bgr24, bgrx8888, rgbx8888, xrgb2101010

  /// What the samples stand for.
  public enum Model: Hashable, Sendable { case yuv, gray, rgb }

  /// What the samples stand for.
  public var model: Model {
    switch self {
    case .gray8, .gray10, .gray12: .gray
    case .gbrp, .gbrp10, .gbrp12, .rgb24, .bgr24, .bgrx8888, .rgbx8888, .xrgb2101010: .rgb
    default: .yuv
    }
  }

  /// Significant bits of one sample: 8, 10 or 12.
  public var bitDepth: Int {
    switch self {
    case .yuv420p10, .yuv422p10, .yuv440p10, .yuv444p10, .p010, .gray10, .gbrp10, .xrgb2101010: 10
    case .yuv420p12, .yuv422p12, .yuv440p12, .yuv444p12, .p012, .gray12, .gbrp12: 12
    default: 8
    }
  }

  /// log2 of how many pixels share one chroma sample, across and down.
  public var chromaShift: (x: Int, y: Int) {
    switch self {
    case .yuv420p, .yuv420p10, .yuv420p12, .yuva420p, .nv12, .nv21, .p010, .p012: (1, 1)
    case .yuv422p, .yuv422p10, .yuv422p12, .nv16, .yuyv422, .uyvy422: (1, 0)
    case .yuv440p, .yuv440p10, .yuv440p12: (0, 1)
    default: (0, 0)
    }
  }

  /// The DRM fourcc of the same memory layout (drm_fourcc.h); 0 where the kernel has no name for it.
  public var fourcc: UInt32 {
    switch self {
    case .yuv420p: Self.code("YU12")
    case .yuv422p: Self.code("YU16")
    case .yuv444p: Self.code("YU24")
    case .nv12: Self.code("NV12")
    case .nv21: Self.code("NV21")
    case .nv16: Self.code("NV16")
    case .p010: Self.code("P010")
    case .p012: Self.code("P012")
    // DRM_FORMAT_S010, S210, S410 and S012…: planar, samples in the low bits (Linux 6.16).
    case .yuv420p10: Self.code("S010")
    case .yuv422p10: Self.code("S210")
    case .yuv444p10: Self.code("S410")
    case .yuv420p12: Self.code("S012")
    case .yuv422p12: Self.code("S212")
    case .yuv444p12: Self.code("S412")
    case .yuyv422: Self.code("YUYV")
    case .uyvy422: Self.code("UYVY")
    case .gray8: Self.code("R8  ")
    case .rgb24: Self.code("BG24")
    case .bgr24: Self.code("RG24")
    case .bgrx8888: Self.code("XR24")
    case .rgbx8888: Self.code("XB24")
    case .xrgb2101010: Self.code("XR30")
    default: 0
    }
  }

  /// Four characters as the kernel packs them.
  static func code(_ text: StaticString) -> UInt32 {
    text.withUTF8Buffer { bytes in
      var value: UInt32 = 0
      for index in 0..<min(4, bytes.count) { value |= UInt32(bytes[index]) << (8 * UInt32(index)) }
      return value
    }
  }
}
