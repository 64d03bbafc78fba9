import CConvert
import KiteCore

/// Which function of libyuv reads a layout.
///
/// libyuv with the matrices of `YuvMatrix` is both the fastest of the three libraries and within the bounds for every
/// format (docs/conversion.md has the table that this follows from), so that no format takes another road.
enum ConversionKernel {
  typealias Bytes = UnsafePointer<UInt8>
  typealias Words = UnsafePointer<UInt16>
  typealias Output = UnsafeMutablePointer<UInt8>
  typealias Matrix = UnsafePointer<YuvConstants>
  typealias Planar8 =
    (Bytes?, Int32, Bytes?, Int32, Bytes?, Int32, Output?, Int32, Matrix?, Int32, Int32) -> Int32
  typealias Interleaved8 = (Bytes?, Int32, Bytes?, Int32, Output?, Int32, Matrix?, Int32, Int32) -> Int32
  typealias Planar16 =
    (Words?, Int32, Words?, Int32, Words?, Int32, Output?, Int32, Matrix?, Int32, Int32) -> Int32
  typealias Interleaved16 = (Words?, Int32, Words?, Int32, Output?, Int32, Matrix?, Int32, Int32) -> Int32
  typealias Packed = (Bytes?, Int32, Output?, Int32, Int32, Int32) -> Int32

  /// Y, U and V planes of bytes.
  case planar8(Planar8)
  /// A plane of Y and one of UV.
  case interleaved8(Interleaved8)
  /// Y alone.
  case gray8
  /// Y, U and V planes of words, samples in the low bits; without chroma planes, neutral chroma stands in.
  case planar16(Planar16)
  /// A plane of Y and one of UV, samples in the high bits.
  case interleaved16(Interleaved16)
  /// G, B and R planes of bytes.
  case merge8
  /// G, B and R planes of words of that many bits.
  case merge16(depth: Int32, to10Bits: Bool)
  /// Packed pixels.
  case packed(Packed)

  /// The kernel from `format` to XRGB8888.
  init(to8BitsFrom format: PixelFormat, isIdentity: Bool) {
    switch format {
    case .yuv444p, .yuva444p: self = isIdentity ? .merge8 : .planar8(I444ToARGBMatrix)
    case .yuv420p, .yuva420p: self = .planar8(I420ToARGBMatrix)
    case .yuv422p, .yuyv422, .uyvy422: self = .planar8(I422ToARGBMatrix)
    case .yuv440p: self = .planar8(I444ToARGBMatrix)
    case .nv12, .nv16: self = .interleaved8(NV12ToARGBMatrix)
    case .nv21: self = .interleaved8(NV21ToARGBMatrix)
    case .gray8: self = .gray8
    case .yuv420p10, .gray10: self = .planar16(I010ToARGBMatrix)
    case .yuv420p12, .gray12: self = .planar16(I012ToARGBMatrix)
    case .yuv422p10, .yuv422p12: self = .planar16(I210ToARGBMatrix)
    case .yuv440p10, .yuv440p12: self = .planar16(I410ToARGBMatrix)
    case .yuv444p10: self = isIdentity ? .merge16(depth: 10, to10Bits: false) : .planar16(I410ToARGBMatrix)
    case .yuv444p12: self = isIdentity ? .merge16(depth: 12, to10Bits: false) : .planar16(I410ToARGBMatrix)
    case .p010, .p012: self = .interleaved16(P010ToARGBMatrix)
    case .gbrp: self = .merge8
    case .gbrp10: self = .merge16(depth: 10, to10Bits: false)
    case .gbrp12: self = .merge16(depth: 12, to10Bits: false)
    // libyuv names packed pixels from the high byte of a little-endian word down.
    case .rgb24: self = .packed(RAWToARGB)
    case .bgr24: self = .packed(RGB24ToARGB)
    case .bgrx8888: self = .packed(ARGBCopy)
    case .rgbx8888: self = .packed(ABGRToARGB)
    case .xrgb2101010: self = .packed(AR30ToARGB)
    }
  }

  /// The kernel from `format` to XRGB2101010; nil where there is none, and the way leads over XRGB8888.
  init?(to10BitsFrom format: PixelFormat, isIdentity: Bool) {
    switch format {
    case .yuv420p10, .gray10: self = .planar16(I010ToAR30Matrix)
    case .yuv420p12, .gray12: self = .planar16(I012ToAR30Matrix)
    case .yuv422p10, .yuv422p12: self = .planar16(I210ToAR30Matrix)
    case .yuv440p10, .yuv440p12: self = .planar16(I410ToAR30Matrix)
    case .yuv444p10: self = isIdentity ? .merge16(depth: 10, to10Bits: true) : .planar16(I410ToAR30Matrix)
    case .yuv444p12: self = isIdentity ? .merge16(depth: 12, to10Bits: true) : .planar16(I410ToAR30Matrix)
    case .p010, .p012: self = .interleaved16(P010ToAR30Matrix)
    case .gbrp10: self = .merge16(depth: 10, to10Bits: true)
    case .gbrp12: self = .merge16(depth: 12, to10Bits: true)
    case .xrgb2101010: self = .packed(ARGBCopy)
    default: return nil
    }
  }

  /// log2 of the rows that share a chroma row, as the kernel for `format` understands it; where the format has it
  /// otherwise, rows go one by one.
  static func chromaShiftY(_ format: PixelFormat) -> Int {
    switch format {
    case .yuv440p, .yuv440p10, .yuv440p12: 0
    case .nv16: 1
    default: format.chromaShift.y
    }
  }

  /// The depth of the samples that reach the kernel: those of 12 bits that have no kernel are cut to 10.
  static func bitDepth(_ format: PixelFormat) -> Int {
    switch format {
    case .yuv422p12, .yuv440p12, .yuv444p12: 10
    default: format.bitDepth
    }
  }

  /// How the kernel for `format` spreads luma.
  static func lumaSpread(_ format: PixelFormat) -> LumaSpread {
    format == .p010 || format == .p012 ? .high : .replicated
  }

  /// Whether the kernel leaves what stood in the X byte.
  static func needsOpaquePass(_ format: PixelFormat) -> Bool {
    format == .bgrx8888 || format == .rgbx8888 || format == .xrgb2101010
  }
}
